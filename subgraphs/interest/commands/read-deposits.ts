import { dateOf } from '../../../kernel/domain/dates.ts'
import { fixedTermsOn } from '../../../kernel/domain/fixed-terms.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readDeathRecordedAt } from '../../../kernel/lifecycle/deceased.ts'
import { lifecycleOf } from '../domain/open-position.ts'
import { isRunning } from '../domain/term-deposit.ts'
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
  const deceasedIds = await readDeceased(context, found.filter(isRunning))
  const today = dateOf(context.now())
  return (arrangementId, product) => {
    const deposits = found.filter((each) => each.arrangementId === arrangementId)
    const deposit = deposits.find(isRunning)
    if (!deposit) return { deposits, term: null }
    const term: TermInputs = {
      deposit,
      // Nothing is renewed for a deceased customer: the money is paid out to the estate.
      offered: deceasedIds.has(deposit.partyId) ? null : fixedTermsOn(product, today),
      isPayable: payableIds.has(deposit.settlementArrangementId),
      newRecord: () => newRecord(context),
    }
    return { deposits, term }
  }
}

/** Returns the IDs of customers of deposits whose death is recorded. */
async function readDeceased(
  context: Context,
  running: readonly TermDeposit[],
): Promise<Set<string>> {
  const partyIds = [...new Set(running.map(({ partyId }) => partyId))]
  const recordedAt = await Promise.all(partyIds.map((id) => readDeathRecordedAt(context, id)))
  return new Set(partyIds.filter((_, index) => recordedAt[index] !== null))
}

/** Returns what the deposit of another term has as a record of its own. */
function newRecord(context: Context): ReturnType<TermInputs['newRecord']> {
  const [termDepositId, now] = [context.newId('termDeposit'), context.now()]
  return { termDepositId, contentHash: '', version: 1, createdAt: now, updatedAt: now }
}
