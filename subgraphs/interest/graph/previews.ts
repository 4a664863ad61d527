import { requireFound } from '../../../kernel/authorization/auth.ts'
import { addDays, dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { AmountSent } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { moneyOut } from '../../../kernel/graph/money.types.ts'
import { readValueDatedBalance } from '../../../ledger/entries.ts'
import { deposits, overdrafts, type Book } from '../commands/book.ts'
import { commitmentFees } from '../commands/commitment-fees.ts'
import {
  loadCommitmentFeeInputs,
  loadInputs,
  loadOverdraftInputs,
  loadVisiblePosition,
} from '../commands/load-inputs.ts'
import { amountOf } from '../domain/amount.ts'
import type { InterestPosition } from '../domain/position.ts'
import { previewInterest } from '../domain/preview.ts'
import { Problem } from '../domain/problems.ts'
import type { InterestPreview } from '../model/interest.ts'
import type { OverdraftPreview } from '../model/overdraft-interest.ts'

/** The maximum number of days of a preview. */
const maxPreviewDays = 3660

/** An account, and the day until which its interest is previewed. */
interface PreviewArgs {
  arrangementId: string
  until: LocalDate
}

/**
 * Returns what a balance would earn, by default that of the account by value date. Throws
 * INTEREST_NOT_FOUND, INVALID_DATE_RANGE, CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export async function previewDeposit(
  context: Context,
  { arrangementId, until, balance }: PreviewArgs & { balance: AmountSent | null },
): Promise<InterestPreview> {
  const position = await visiblePosition(context, deposits, arrangementId)
  const today = requireUntil(context, until)
  const { currency } = position
  const balanceMinor = balance
    ? amountOf(balance, currency, 'balance')
    : (await readValueDatedBalance(context.bank.pool, arrangementId, today)).committedMinor
  const inputs = (await loadInputs(context, position))!
  const { grossMinor, taxMinor } = previewInterest(inputs, balanceMinor, today, until)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  return {
    from: today,
    until,
    balance: money(balanceMinor),
    gross: money(grossMinor),
    taxWithheld: money(taxMinor),
    net: money(grossMinor - taxMinor),
  }
}

/**
 * Returns what an overdrawn amount would cost. Throws INTEREST_NOT_FOUND, INVALID_DATE_RANGE,
 * CURRENCY_MISMATCH, VALIDATION_FAILED.
 */
export async function previewOverdraft(
  context: Context,
  { arrangementId, until, amount }: PreviewArgs & { amount: AmountSent },
): Promise<OverdraftPreview> {
  const position = await visiblePosition(context, overdrafts, arrangementId)
  const today = requireUntil(context, until)
  const { currency } = position
  const overdrawnMinor = amountOf(amount, currency, 'amount')
  if (overdrawnMinor <= 0n) {
    const detail = 'The overdrawn amount must be above zero.'
    const errors = [{ pointer: '/amount/amount', code: 'INVALID_AMOUNT', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const inputs = (await loadOverdraftInputs(context, position))!
  const { grossMinor } = previewInterest(inputs, overdrawnMinor, today, until)
  const money = (amountMinor: bigint) => moneyOut({ amountMinor, currency })
  const feePosition = (await loadVisiblePosition(context, commitmentFees, arrangementId))!
  const feeMinor = feePosition.isBearing
    ? previewInterest(
        (await loadCommitmentFeeInputs(context, feePosition))!,
        overdrawnMinor,
        today,
        until,
      ).grossMinor
    : 0n
  return {
    from: today,
    until,
    overdrawn: money(overdrawnMinor),
    interest: money(grossMinor),
    commitmentFee: money(feeMinor),
  }
}

/** Returns the position of an account that has interest. Throws INTEREST_NOT_FOUND. */
export async function visiblePosition(
  context: Context,
  book: Book,
  arrangementId: string,
): Promise<InterestPosition> {
  const found = await loadVisiblePosition(context, book, arrangementId)
  return requireFound(found?.isBearing ? found : null, 'INTEREST_NOT_FOUND', arrangementId)
}

/** Checks the last day of a preview and returns today. */
function requireUntil(context: Context, until: LocalDate): LocalDate {
  const today = dateOf(context.now())
  if (until > today && until <= addDays(today, maxPreviewDays)) return today
  const detail = `until, ${until}, must be after ${today} and at most ${maxPreviewDays} days after it.`
  const errors = [{ pointer: '/until', code: 'INVALID_DATE_RANGE', detail }]
  throw new Problem('INVALID_DATE_RANGE', { detail, errors })
}
