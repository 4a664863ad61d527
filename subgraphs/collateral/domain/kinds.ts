/**
 * What is taken off the market value of each known type of collateral before lending against it, in
 * percent. Our defaults, in the order of the supervisory ones (Regulation (EU) 575/2013, articles 224
 * and 230); a bank sets its own for each collateral.
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

/** The haircut of a type, in percent. A type that is not known counts as `other`. */
export function defaultHaircutPct(collateralType: string): string {
  const known = collateralType.toLowerCase()
  return Object.hasOwn(haircuts, known) ? haircuts[known]! : haircuts['other']!
}
