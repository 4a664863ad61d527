import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { lifecycleOf } from '../domain/open-position.ts'
import { fixedTermsOn, isRunning } from '../domain/term-deposit.ts'
import type { TermInputs } from '../domain/term-end.ts'
import type { ProductFact } from '../domain/terms.ts'
import type { TermDeposit } from '../model/term-deposit.ts'
import { findDeposits } from '../store/term-deposit.ts'
import { readAccounts } from './read-facts.ts'

/** The term deposits of an account, and what decides how the running one ends. */
interface AccountDeposits {
  deposits: readonly TermDeposit[]
  term: TermInputs | null
}

/** Reads the term deposits of accounts. Returns a function that has those of one account. */
export async function readDeposits(
  context: Context,
  arrangementIds: readonly string[],
): Promise<(arrangementId: string, product: ProductFact) => AccountDeposits> {
  const found = await findDeposits(context, arrangementIds)
  const settlementIds = found
    .filter(isRunning)
    .map(({ settlementArrangementId }) => settlementArrangementId)
  const accounts = await readAccounts(context, [...new Set(settlementIds)])
  const payableIds = new Set(
    accounts
      .filter((account) => !lifecycleOf(account).isEnded)
      .map(({ arrangementId }) => arrangementId),
  )
  const today = dateOf(context.now())
  return (arrangementId, product) => {
    const deposits = found.filter((each) => each.arrangementId === arrangementId)
    const deposit = deposits.find(isRunning)
    if (!deposit) return { deposits, term: null }
    const term: TermInputs = {
      deposit,
      offered: fixedTermsOn(product, today),
      isPayable: payableIds.has(deposit.settlementArrangementId),
      newRecord: () => newRecord(context),
    }
    return { deposits, term }
  }
}

/** Returns what the deposit of another term has as a record of its own. */
function newRecord(context: Context): ReturnType<TermInputs['newRecord']> {
  const [termDepositId, now] = [context.newId('termDeposit'), context.now()]
  return { termDepositId, contentHash: '', version: 1, createdAt: now, updatedAt: now }
}
