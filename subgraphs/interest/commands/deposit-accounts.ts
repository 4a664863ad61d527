import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readReferencedFacts } from '../../../kernel/writing/facts.ts'
import { readHeldBooks } from '../../../ledger/hold.ts'
import { balanceAmountsOf, defaultAddress } from '../../../ledger/domain/balance.ts'
import type { StoredBooks } from '../../../ledger/read.ts'
import { accrue } from '../domain/accrue.ts'
import type { ArrangementFact } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import { balanceOn } from '../domain/term-end.ts'
import { deposits } from './book.ts'
import { readInputs } from './read-inputs.ts'

function notAllowed(member: string, resourceId: string, detail: string): Problem {
  const code = 'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED'
  const errors = [{ pointer: `/${member}`, code, detail }]
  return new Problem(code, { detail, resourceId, errors })
}

/**
 * Reads the balances of accounts, on which the command then books, and holds them until it ends. What
 * is read after this does not change before the commit.
 */
export function holdAccounts(
  context: Context,
  accountIds: readonly string[],
): Promise<StoredBooks> {
  return readHeldBooks(context, {
    accountIds: new Set(accountIds),
    authorizationKeys: new Set<string>(),
    postingIds: new Set<string>(),
  })
}

/**
 * Checks that an account can hold a new term deposit: it is active, not blocked and empty, also by
 * value date and with its authorizations. The commit refers to the account. Throws
 * TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED.
 */
export async function requireEmptyAccount(
  context: Context,
  books: StoredBooks,
  position: InterestPosition,
): Promise<void> {
  const { arrangementId } = position
  const [fact] = await readReferencedFacts(context, [`arrangement/${arrangementId}`])
  const { state, blockedFor } = fact as unknown as ArrangementFact
  if (state !== 'active' || blockedFor !== null) {
    const detail = `${arrangementId} is ${blockedFor === null ? state : 'blocked'}, not active.`
    throw notAllowed('arrangementId', arrangementId, detail)
  }
  const balance = books.balance(arrangementId, defaultAddress)!
  const { committedMinor, pendingInMinor, pendingOutMinor } = balanceAmountsOf(balance)
  const isEmpty = committedMinor === 0n && pendingInMinor === 0n && pendingOutMinor === 0n
  if (isEmpty && (await isEmptyByValueDate(context, position))) return
  const detail = `${arrangementId} is not empty. Move its balance to the settlement account first.`
  throw notAllowed('arrangementId', arrangementId, detail)
}

/** Whether the balance of an account is zero by value date today and on each day to come. */
async function isEmptyByValueDate(context: Context, position: InterestPosition): Promise<boolean> {
  const [inputs] = await readInputs(context, deposits, [position])
  const { balanceMinor, ahead } = accrue({ ...inputs!, mayPay: false }).position
  const today = dateOf(context.now())
  const isEmptyToday = balanceOn({ balanceMinor, ahead }, today) === 0n
  return isEmptyToday && ahead.every(({ valueDate }) => valueDate <= today)
}

/**
 * Checks that an account can fund a term deposit and be paid: it is another open account of the same
 * customer in the same currency. The commit refers to the account, so that it cannot be closed
 * concurrently. Throws TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED.
 */
export async function requireSettlementAccount(
  context: Context,
  arrangementId: string,
  settlementArrangementId: string,
): Promise<void> {
  const facts = await readReferencedFacts(context, [
    `arrangement/${arrangementId}`,
    `arrangement/${settlementArrangementId}`,
  ])
  const [account, settlement] = facts as unknown as (ArrangementFact | null)[]
  const isAllowed =
    settlement &&
    settlement.arrangementId !== arrangementId &&
    settlement.partyId === account!.partyId &&
    settlement.currency === account!.currency &&
    settlement.lifecycle === 'open'
  if (isAllowed) return
  const detail = `${settlementArrangementId} is not another open account of the same customer in ${account!.currency}.`
  throw notAllowed('settlementArrangementId', settlementArrangementId, detail)
}
