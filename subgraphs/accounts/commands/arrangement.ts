import type { arrangementStates, Arrangement } from '../model/arrangement.ts'
import type { Change } from '../../../kernel/graph/transitions.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireAliveForOthers } from '../../../kernel/lifecycle/deceased.ts'
import { Problem } from '../domain/problems.ts'
import { mayUse } from '../../../kernel/authorization/entitlements.ts'
import { changeGuard } from '../../../ledger/book.ts'
import { balanceAmountsOf } from '../../../ledger/domain/balance.ts'
import { readHeldBalance } from '../../../ledger/hold.ts'
import { guardOf, hasEnded, requireEmpty } from '../domain/arrangement.ts'
import type { ArrangementEvent } from '../events.ts'
import { publishToHolders } from './publish.ts'
import {
  depositRunning,
  findRunningDeposit,
  requireNotSettlementAccount,
} from './require-unused.ts'
import { requireNotWrittenOff } from './require-not-written-off.ts'
import { requireFeesSettled, requireInterestPaid } from './require-settled.ts'
import { findArrangement, updateArrangement } from '../store/arrangement.ts'

/**
 * The mutations that end an account or request its closure. They fail while the account is the
 * settlement account of an open facility or a running term deposit, or has a term deposit itself.
 */
const endingMutations: ReadonlySet<string> = new Set<
  keyof (typeof arrangementStates)['transitions']
>([
  'rejectAccountArrangement',
  'cancelAccountArrangement',
  'requestAccountArrangementClosure',
  'closeAccountArrangement',
])

/**
 * Changes an account that the caller owns or is entitled to manage. Throws ARRANGEMENT_NOT_FOUND,
 * NOT_ENTITLED, PARTY_DECEASED for a deceased joint holder, OVERDRAFT_WRITTEN_OFF for an unblocking, SETTLEMENT_ACCOUNT_IN_USE and TERM_DEPOSIT_RUNNING for `endingMutations`,
 * FEES_OUTSTANDING, INTEREST_OUTSTANDING and ARRANGEMENT_NOT_EMPTY for a closure, and whatever
 * `decide` throws.
 */
export const changeArrangement: Change<Arrangement, ArrangementEvent> = (
  context,
  operation,
  input,
  arrangementId,
  event,
  decide,
) =>
  command(context, operation, input, async () => {
    const found = await findArrangement(context, arrangementId)
    const before = found && (await mayManage(context, found)) ? found : null
    if (!before) throw new Problem('ARRANGEMENT_NOT_FOUND', { resourceId: arrangementId })
    await requireAliveForOthers(context, before.partyId)
    if (endingMutations.has(operation)) await requireNotSettlementAccount(context, before)
    if (operation === 'unblockAccountArrangement')
      await requireNotWrittenOff(context, arrangementId)
    const now = context.now()
    const balance = await readHeldBalance(context, arrangementId)
    // A deposit that begins or ends after this gives the balance a new stamp.
    const deposit = await findRunningDeposit(context, arrangementId)
    if (deposit && endingMutations.has(operation)) throw depositRunning(arrangementId, deposit)
    // Fees and interest are read after the balance. If a fee becomes due or money moves after that,
    // the balance gets a new stamp, so the commit fails and this command is decided again.
    if (event === 'accounts.arrangement.closed') {
      await requireFeesSettled(context, before)
      await requireInterestPaid(context, before)
    }
    const decided = await decide(before, now)
    if (decided.state === 'closed') requireEmpty(before, balanceAmountsOf(balance))
    const after = { ...decided, version: before.version + 1, updatedAt: now }
    return {
      result: after,
      resourceId: arrangementId,
      writes: [
        ...updateArrangement(after, before.version, hasEnded(after)),
        changeGuard(balance, guardOf(after, deposit !== null)),
      ],
      ...(await publishToHolders(context, after, event)),
    }
  })

function mayManage(context: Context, { partyId, arrangementId }: Arrangement): Promise<boolean> {
  return mayUse(context, [partyId], `arrangement/${arrangementId}`, 'manage')
}
