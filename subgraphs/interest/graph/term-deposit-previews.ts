import { requireFound } from '../../../kernel/authorization/auth.ts'
import { addDays, dateOf } from '../../../kernel/domain/dates.ts'
import { maturityOf } from '../../../kernel/domain/fixed-terms.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { deposits } from '../commands/book.ts'
import { loadInputs } from '../commands/load-inputs.ts'
import { lastEndedDay, readInputs } from '../commands/read-inputs.ts'
import { requirePosition } from '../commands/require-position.ts'
import { requireOffered } from '../commands/offered-term.ts'
import { accrue } from '../domain/accrue.ts'
import { amountOf } from '../domain/amount.ts'
import { previewInterest } from '../domain/preview.ts'
import { isRunning, withDepositRates } from '../domain/term-deposit.ts'
import {
  notWithdrawable,
  requireWithdrawable,
  withNotice,
  type Withdrawal,
} from '../domain/withdrawal.ts'
import type { TermDepositPreview, WithdrawalPreview } from '../model/term-deposit.ts'
import { termDepositTable } from '../store/term-deposit.ts'
import { visiblePosition } from './previews.ts'

/** A term deposit to preview. */
interface DepositArgs {
  arrangementId: string
  amount: { amount: string; currency: string }
  months: number
}

/**
 * Returns what a term deposit that begins today would earn. Throws INTEREST_NOT_FOUND,
 * TERM_DEPOSIT_NOT_OFFERED, CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export async function previewDepositTerm(
  context: Context,
  { arrangementId, amount, months }: DepositArgs,
): Promise<TermDepositPreview> {
  const position = await visiblePosition(context, deposits, arrangementId)
  const { currency } = position
  const principalMinor = amountOf(amount, currency, 'amount')
  const { annualRatePct } = await requireOffered(context, position, months, principalMinor)
  const startsOn = dateOf(context.now())
  const maturesOn = maturityOf(startsOn, months)
  const inputs = (await loadInputs(context, position))!
  const term = { startsOn, endsOn: maturesOn, annualRatePct }
  const rated = { ...inputs, termsOn: withDepositRates(inputs.termsOn, [term]) }
  const { grossMinor, taxMinor } = previewInterest(rated, principalMinor, startsOn, maturesOn)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    startsOn,
    maturesOn,
    annualRatePct,
    principal: money(principalMinor),
    gross: money(grossMinor),
    taxWithheld: money(taxMinor),
    net: money(grossMinor - taxMinor),
  }
}

/**
 * Returns what an early withdrawal that is requested today would pay out, with the days of notice.
 * Throws TERM_DEPOSIT_NOT_FOUND, INVALID_STATE_TRANSITION, EARLY_WITHDRAWAL_NOT_ALLOWED.
 */
export async function previewWithdrawal(
  context: Context,
  { termDepositId, waiverReason }: Withdrawal,
): Promise<WithdrawalPreview> {
  const found = await termDepositTable.find(context, termDepositId)
  const before = requireFound(found, 'TERM_DEPOSIT_NOT_FOUND', termDepositId)
  const noticeDays = requireWithdrawable(before, waiverReason)
  const today = noticeDays > 0 ? dateOf(context.now()) : addDays(lastEndedDay(context), 1)
  const deposit = withNotice(before, waiverReason, today, noticeDays)
  const position = await requirePosition(context, deposits, before.arrangementId)
  const [inputs] = await readInputs(context, deposits, [position])
  const { term } = inputs!
  if (!term || !isRunning(term.deposit)) throw notWithdrawable(termDepositId, 'It has ended.')
  const through = addDays(deposit.endsOn, -1)
  const { termEnds } = accrue({ ...inputs!, term: { ...term, deposit }, through })
  const [end] = termEnds
  if (!end) throw notWithdrawable(termDepositId, 'Its account has no terms of interest today.')
  const { ended } = end
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency: before.currency })
  return {
    endsOn: ended.endedOn!,
    interest: money(ended.interestMinor!),
    penalty: money(ended.penaltyMinor!),
    paidOut: money(ended.paidOutMinor!),
  }
}
