import type { MaturityInstruction } from './queries.generated.ts'

/** What can happen to a term deposit at its maturity. */
export const maturityInstructions: { value: MaturityInstruction; label: string }[] = [
  { value: 'PAY_OUT', label: 'Pay out the deposit and the interest' },
  { value: 'RENEW_PRINCIPAL', label: 'Deposit it again, and pay out the interest' },
  { value: 'RENEW_WITH_INTEREST', label: 'Deposit it again with the interest' },
]
