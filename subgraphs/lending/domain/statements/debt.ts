/**
 * What a borrower owes by parts, or how a movement changes it, in minor units. A positive change
 * increases the debt.
 */
export interface Debt {
  principalMinor: bigint
  /** The accrued interest, whether due or not. */
  interestMinor: bigint
  lateFeesMinor: bigint
  defaultInterestMinor: bigint
  /** What was charged off and not recovered. */
  chargedOffMinor: bigint
}

const parts = [
  'principalMinor',
  'interestMinor',
  'lateFeesMinor',
  'defaultInterestMinor',
  'chargedOffMinor',
] as const satisfies readonly (keyof Debt)[]

export const noDebt: Debt = {
  principalMinor: 0n,
  interestMinor: 0n,
  lateFeesMinor: 0n,
  defaultInterestMinor: 0n,
  chargedOffMinor: 0n,
}

/** Returns the sum of two debts, part by part. */
export function addDebt(one: Debt, other: Debt): Debt {
  const sums = parts.map((part) => [part, one[part] + other[part]] as const)
  return Object.fromEntries(sums) as unknown as Debt
}

/** Returns the sum of all parts of a debt. */
export function totalDebtMinor(debt: Debt): bigint {
  return parts.reduce((total, part) => total + debt[part], 0n)
}

/** Returns the sum of all parts of a debt that are not charged off. */
export function unpaidMinorOf(debt: Debt): bigint {
  return totalDebtMinor(debt) - debt.chargedOffMinor
}

/** Whether no part of a debt differs from zero. */
export function isNoDebt(debt: Debt): boolean {
  return parts.every((part) => debt[part] === 0n)
}
