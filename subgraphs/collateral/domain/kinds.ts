/**
 * The default haircut of each known collateral type, in percent of the market value. The types are
 * ranked as in the supervisory haircuts of Regulation (EU) 575/2013, articles 224 and 230. The bank
 * can set another haircut for each collateral record.
 */
const haircuts: Readonly<Record<string, string>> = {
  'cash-deposit': '0',
  'life-policy': '10',
  'real-estate': '20',
  guarantee: '20',
  securities: '30',
  receivables: '30',
  vehicle: '40',
  equipment: '50',
  inventory: '50',
  other: '50',
}

/**
 * Returns the default haircut of a type, in percent. An unknown type has the haircut of `other`.
 */
export function defaultHaircutPct(collateralType: string): string {
  const type = collateralType.toLowerCase()
  return Object.hasOwn(haircuts, type) ? haircuts[type]! : haircuts['other']!
}
