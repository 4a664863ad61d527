import type { Context } from '../../../kernel/environment/context.ts'
import { readReferencedFacts } from '../../../kernel/writing/facts.ts'
import { readHeldBooks } from '../../../ledger/hold.ts'
import { balanceAmountsOf, defaultAddress, type Balance } from '../../../ledger/domain/balance.ts'
import type { ArrangementFact } from '../domain/open-position.ts'
import { Problem } from '../domain/problems.ts'

function notAllowed(member: string, resourceId: string, detail: string): Problem {
  const code = 'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED'
  const errors = [{ pointer: `/${member}`, code, detail }]
  return new Problem(code, { detail, resourceId, errors })
}

/**
 * Reads the balances of accounts and holds them until the command ends, so that what is read after
 * this does not change. Returns the balance of the first account.
 */
export async function holdAccounts(
  context: Context,
  accountIds: readonly [string, string],
): Promise<Balance> {
  const needs = {
    accountIds: new Set(accountIds),
    authorizationKeys: new Set<string>(),
    postingIds: new Set<string>(),
  }
  const books = await readHeldBooks(context, needs)
  return books.balance(accountIds[0], defaultAddress)!
}

/**
 * Checks that an account can hold a new term deposit: it is active, not blocked and empty. The commit
 * refers to the account. Throws TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED.
 */
export async function requireEmptyAccount(
  context: Context,
  arrangementId: string,
  balance: Balance,
): Promise<void> {
  const [fact] = await readReferencedFacts(context, [`arrangement/${arrangementId}`])
  const { state, blockedFor } = fact as unknown as ArrangementFact
  if (state !== 'active' || blockedFor !== null) {
    const detail = `${arrangementId} is ${blockedFor === null ? state : 'blocked'}, not active.`
    throw notAllowed('arrangementId', arrangementId, detail)
  }
  const { committedMinor, pendingInMinor, pendingOutMinor } = balanceAmountsOf(balance)
  if (committedMinor === 0n && pendingInMinor === 0n && pendingOutMinor === 0n) return
  const detail = `${arrangementId} is not empty. Move its balance to the settlement account first.`
  throw notAllowed('arrangementId', arrangementId, detail)
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
