/**
 * Returns the name of a product class, in which `CURRENT_ACCOUNT` and `current-account` are
 * equivalent.
 */
export function productClassName(productClass: string): string {
  return productClass
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
}
