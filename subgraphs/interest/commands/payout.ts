import type { Context } from '../../../kernel/environment/context.ts'
import { command } from '../../../kernel/writing/command.ts'
import { lifecycleOf } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import { payoutChangedEvent } from '../events.ts'
import { deposits } from './book.ts'
import { readAccounts } from './read-facts.ts'
import { requirePosition } from './require-position.ts'

/** Which account receives the interest of an account. */
export interface PayoutRequest {
  arrangementId: string
  payoutArrangementId: string | null
}

/**
 * Chooses the account that receives the interest of an account; null for the account itself. Throws
 * INTEREST_NOT_FOUND, PAYOUT_ACCOUNT_NOT_ALLOWED.
 */
export function setInterestPayout(
  context: Context,
  request: PayoutRequest,
): Promise<InterestPosition> {
  return command(context, 'setInterestPayout', request, async () => {
    const { arrangementId, payoutArrangementId } = request
    const before = await requirePosition(context, deposits, arrangementId)
    if (payoutArrangementId !== null)
      await requirePayoutAccount(context, before, payoutArrangementId)
    if (before.payoutArrangementId === payoutArrangementId) return { result: before }
    const after: InterestPosition = {
      ...before,
      payoutArrangementId,
      version: before.version + 1,
      updatedAt: context.now(),
    }
    return {
      result: after,
      resourceId: arrangementId,
      writes: deposits.positions.update([after]),
      events: [payoutChangedEvent(after)],
    }
  })
}

async function requirePayoutAccount(
  context: Context,
  { arrangementId, partyId, currency }: InterestPosition,
  payoutArrangementId: string,
): Promise<void> {
  const [account] = await readAccounts(context, [payoutArrangementId])
  const isAllowed =
    account !== undefined &&
    account.arrangementId !== arrangementId &&
    account.partyId === partyId &&
    account.currency === currency &&
    !lifecycleOf(account).isEnded
  if (isAllowed) return
  const code = 'PAYOUT_ACCOUNT_NOT_ALLOWED'
  const detail = `${payoutArrangementId} is not another open account of the same customer in ${currency}.`
  const errors = [{ pointer: '/payoutArrangementId', code, detail }]
  throw new Problem(code, { detail, resourceId: payoutArrangementId, errors })
}

/**
 * Returns the positions with the accounts to which interest can be paid now. If the chosen account
 * is closed, interest is paid into the account itself.
 */
export async function redirectPayouts(
  context: Context,
  positions: readonly InterestPosition[],
): Promise<InterestPosition[]> {
  const chosenIds = positions.flatMap(({ payoutArrangementId }) => payoutArrangementId ?? [])
  if (chosenIds.length === 0) return [...positions]
  const accounts = await readAccounts(context, [...new Set(chosenIds)])
  const openIds = new Set(
    accounts
      .filter((account) => !lifecycleOf(account).isEnded)
      .map(({ arrangementId }) => arrangementId),
  )
  return positions.map((position) => {
    const { payoutArrangementId } = position
    const isOpen = payoutArrangementId !== null && openIds.has(payoutArrangementId)
    return isOpen ? position : { ...position, payoutArrangementId: null }
  })
}
