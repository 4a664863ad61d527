import type { Context } from '../../../kernel/environment/context.ts'
import { findFacts, readFacts, readHeldFacts } from '../../../kernel/writing/facts.ts'
import { Problem } from '../domain/problems.ts'
import type { Arrangement } from '../model/arrangement.ts'

/** The published fact of the latest term deposit of an account. */
interface TermDepositFact {
  termDepositId: string
  state: string
  lifecycle: 'open' | 'ended'
}

/** What uses an account for payouts or collections, and how to change the account. */
const users = [
  {
    entity: 'facility',
    id: 'facilityId',
    code: 'FACILITY_OPEN',
    mutation: 'changeSettlementAccount',
  },
  {
    entity: 'term-deposit',
    id: 'termDepositId',
    code: 'TERM_DEPOSIT_RUNNING',
    mutation: 'changeMaturityInstruction',
  },
] as const

/**
 * Checks that the account is not the settlement account of an open facility or a running term
 * deposit. If a new record refers to the account in the meantime, the command is decided again.
 * Throws SETTLEMENT_ACCOUNT_IN_USE with the IDs of the records.
 */
export async function requireNotSettlementAccount(
  context: Context,
  { arrangementId }: Arrangement,
): Promise<void> {
  await readHeldFacts(context, [`arrangement/${arrangementId}`])
  const [pointer, reference] = ['/arrangementId', 'settlementArrangementId'] as const
  for (const { entity, id, code, mutation } of users) {
    const found = await findFacts(context, entity, reference, arrangementId, ['open'])
    if (found.length === 0) continue
    const errors = found.map(({ data }) => {
      const [resourceId, state] = [data[id], data['state'] ?? data['status']] as string[]
      return { pointer, code, detail: `${resourceId} is ${state}.`, resourceId: resourceId! }
    })
    const ids = errors.map((each) => each.resourceId).join(', ')
    const detail =
      `${arrangementId} is the settlement account of ${ids}. ` +
      `Call ${mutation} for each of them first.`
    throw new Problem('SETTLEMENT_ACCOUNT_IN_USE', { detail, resourceId: arrangementId, errors })
  }
}

/** Returns the term deposit of an account that is running; null if there is none. */
export async function findRunningDeposit(
  context: Context,
  arrangementId: string,
): Promise<TermDepositFact | null> {
  const [fact] = await readFacts(context, [`term-deposit/${arrangementId}`])
  const deposit = fact as unknown as TermDepositFact | null
  return deposit?.lifecycle === 'open' ? deposit : null
}

/** Returns the problem that an account cannot be closed while its term deposit is running. */
export function depositRunning(
  arrangementId: string,
  { termDepositId, state }: TermDepositFact,
): Problem {
  const detail = `${termDepositId}, the term deposit of ${arrangementId}, is ${state}. Call withdrawTermDeposit first, or wait for its end.`
  return new Problem('TERM_DEPOSIT_RUNNING', { detail, resourceId: arrangementId })
}
