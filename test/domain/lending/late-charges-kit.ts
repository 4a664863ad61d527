import type { Fee } from '../../../kernel/domain/fee.ts'
import type { Facility } from '../../../subgraphs/lending/domain/facilities/facility.ts'
import { newFacility } from '../../../subgraphs/lending/domain/facilities/opening.ts'
import type { LateChargeTerms } from '../../../subgraphs/lending/domain/late-charges/terms.ts'
import {
  noCharges,
  type DueInstallment,
} from '../../../subgraphs/lending/domain/repayments/due-installment.ts'
import { startServicing } from '../../../subgraphs/lending/domain/servicing/servicing.ts'

export const eur = (amountMinor: bigint) => ({ amountMinor, currency: 'EUR' })
export const aFee = (fee: Partial<Fee> = {}): Fee => ({
  code: 'late-payment',
  name: null,
  frequency: 'per-late-installment',
  amount: eur(1500n),
  percent: null,
  tiers: [],
  minimum: null,
  maximum: null,
  waivers: [],
  ...fee,
})
export const terms = (changes: Partial<LateChargeTerms> = {}): LateChargeTerms => ({
  fee: null,
  defaultInterestPct: '0',
  defaultInterestBase: 'principal',
  graceDays: 0,
  arePaidLast: false,
  ...changes,
})

export const aDue = (number: number, dueDate: string, due: Partial<DueInstallment> = {}) => ({
  facilityId: 'loan_late',
  number,
  dueDate,
  interestMinor: 6_000n,
  principalMinor: 100_000n,
  interestPaidMinor: 0n,
  principalPaidMinor: 0n,
  charges: noCharges,
  paidOn: null,
  ...due,
})

/** A facility that owes its due installments and nothing else. */
export function aFacility(lateCharges: LateChargeTerms, dues: readonly DueInstallment[]) {
  const sum = (part: 'interestMinor' | 'principalMinor') =>
    dues.reduce((total, due) => total + due[part], 0n)
  const stamp = { contentHash: '', version: 1, createdAt: new Date(), updatedAt: new Date() }
  const opened = newFacility(
    {
      customerId: 'cus_ada',
      kind: 'consumer-loan',
      limit: eur(1_200_000n),
      ratePct: '6',
      installments: 12,
      frequency: 'monthly',
      dayCount: 'thirty-360',
      isApprovalRequired: false,
      openedOn: '2026-01-01',
    },
    { ...stamp, facilityId: 'loan_late', partyId: 'pty_ada' },
    '2026-01-01',
  )
  const facility: Facility = {
    ...opened,
    state: 'active',
    lateCharges,
    principalMinor: sum('principalMinor'),
    principalDueMinor: sum('principalMinor'),
    interestDueMinor: sum('interestMinor'),
    disbursedMinor: 1_200_000n,
  }
  return startServicing(facility, dues)
}
