import { addDays, type LocalDate } from '../../../kernel/domain/dates.ts'
import { maturityOf, type AgreedTerm } from '../../../kernel/domain/fixed-terms.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { accrue } from './accrue.ts'
import type { AccrualInputs } from './accrued-day.ts'
import { previewInterest, type Preview } from './preview.ts'
import { notEnded, withDepositRates } from './term-deposit.ts'

/** A deposit that would be opened today. */
export interface NewDeposit {
  inputs: Pick<AccrualInputs, 'position' | 'termsOn' | 'isExemptOn'>
  term: AgreedTerm | null
  principalMinor: bigint
  startsOn: LocalDate
}

/** How many months of a savings account are previewed, which has no term. */
const savingsMonths = 12

/** Returns the day on which a deposit ends, or through which a savings account is previewed. */
export function endOf({ startsOn, term }: NewDeposit): LocalDate {
  return maturityOf(startsOn, term?.months ?? savingsMonths)
}

function ratedInputs(deposit: NewDeposit) {
  const { inputs, term, startsOn } = deposit
  if (!term) return inputs
  const rated = { startsOn, endsOn: endOf(deposit), annualRatePct: term.annualRatePct }
  return { ...inputs, termsOn: withDepositRates(inputs.termsOn, [rated]) }
}

/** Returns what a deposit earns until its end, by the rules by which it is accrued. */
export function previewOpening(deposit: NewDeposit): Preview {
  const { principalMinor, startsOn } = deposit
  return previewInterest(ratedInputs(deposit), principalMinor, startsOn, endOf(deposit))
}

/**
 * Returns a term deposit as it ends by a withdrawal on a day before its maturity, by the rules by which
 * it is ended.
 */
export function previewEarlyEnd(
  deposit: NewDeposit,
  term: AgreedTerm,
  withdrawnOn: LocalDate,
): TermDeposit {
  const { principalMinor, startsOn } = deposit
  const inputs = ratedInputs(deposit)
  const { arrangementId, partyId, currency, createdAt } = inputs.position
  const stamp = { contentHash: '', version: 1, createdAt, updatedAt: createdAt }
  const withdrawn: TermDeposit = {
    ...stamp,
    ...term,
    termDepositId: '',
    arrangementId,
    settlementArrangementId: '',
    partyId,
    currency,
    state: 'notice-given',
    principalMinor,
    startsOn,
    maturesOn: endOf(deposit),
    endsOn: withdrawnOn,
    maturityInstruction: 'pay-out',
    accruedBeforeMinor: 0n,
    previousTermDepositId: null,
    openedBy: '',
    ...notEnded,
  }
  const { termEnds } = accrue({
    ...inputs,
    position: { ...inputs.position, balanceMinor: principalMinor },
    movements: [],
    seenSequence: 0n,
    accruedDays: new Map(),
    term: {
      deposit: withdrawn,
      offered: null,
      isPayable: true,
      newRecord: () => ({ ...stamp, termDepositId: '' }),
    },
    through: addDays(withdrawnOn, -1),
    mayPay: true,
  })
  return termEnds[0]!.ended
}
