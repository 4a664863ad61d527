/**
 * The default haircut of each known collateral type, in percent of the market value. The defaults
 * follow the ranking of the supervisory ones (Regulation (EU) 575/2013, articles 224 and 230); a
 * bank sets its own per collateral.
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

/** The default haircut of a type, in percent. Unknown types count as `other`. */
export function defaultHaircutPct(collateralType: string): string {
  const known = collateralType.toLowerCase()
  return Object.hasOwn(haircuts, known) ? haircuts[known]! : haircuts['other']!
}
