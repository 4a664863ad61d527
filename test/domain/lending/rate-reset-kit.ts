import { newFacility } from '../../../subgraphs/lending/domain/facilities/opening.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { amendFacility } from '../../../subgraphs/lending/domain/facilities/schedule-change.ts'
import type { FloatingRate } from '../../../subgraphs/lending/domain/rate-resets/terms.ts'
import { withFixings } from '../../../kernel/domain/reference-rate.ts'

export const start = '2026-01-31'
const agreed: FloatingRate = {
  referenceRateId: 'EURIBOR-3M',
  marginPct: '2',
  frequency: 'quarterly',
  lookbackDays: 2,
  minimumRatePct: '0',
  maximumRatePct: null,
  lastResetOn: null,
}

/** A loan of 12,000.00 at 6 % over two years, paid out on its first day. */
export function aFloatingLoan(terms: Partial<FloatingRate> = {}): Facility {
  const stamp = { contentHash: '', version: 1, createdAt: new Date(), updatedAt: new Date() }
  const opened = newFacility(
    {
      customerId: 'cus_ada',
      kind: 'consumer-loan',
      limit: { amountMinor: 1_200_000n, currency: 'EUR' },
      ratePct: '6',
      installments: 24,
      frequency: 'monthly',
      dayCount: 'act-365',
      isApprovalRequired: false,
      openedOn: start,
    },
    { ...stamp, facilityId: 'loan', partyId: 'pty_ada' },
    start,
  )
  const disbursement = { on: start, amountMinor: 1_200_000n }
  const { facility } = amendFacility(opened, { kind: 'disbursement', disbursement })
  return {
    ...facility,
    state: 'active',
    principalMinor: 1_200_000n,
    disbursedMinor: 1_200_000n,
    floatingRate: { ...agreed, ...terms },
  }
}

/** The published reference rate with fixings that were recorded on the first day of the loan. */
export const fact = (fixings: Record<string, string>, validDays: number | null = null) => ({
  validDays,
  fixings: withFixings(
    [],
    Object.entries(fixings).map(([fixedOn, ratePct]) => ({ fixedOn, ratePct })),
    start,
  ),
})
