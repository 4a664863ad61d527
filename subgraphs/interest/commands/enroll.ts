import type { Context } from '../../../kernel/environment/context.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { lifecycleOf, openPosition } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import { findPositions, insertPositions, updatePositions } from '../store/position.ts'
import { readAccounts, readProducts } from './read-facts.ts'

/**
 * Returns the decision that opens the positions of accounts that have none, and records in the
 * others whether the account is being closed or is closed.
 */
export async function decideEnrollment(
  context: Context,
  arrangementIds: readonly string[],
): Promise<Required<Pick<Decision<void>, 'writes'>>> {
  if (arrangementIds.length === 0) return { writes: [] }
  const [accounts, stored] = await Promise.all([
    readAccounts(context, arrangementIds),
    findPositions(context, arrangementIds),
  ])
  const products = await readProducts(
    context,
    accounts.map(({ productId }) => productId),
  )
  const positions = new Map(stored.map((position) => [position.arrangementId, position]))
  const now = context.now()
  const opened: InterestPosition[] = []
  const changed: InterestPosition[] = []
  for (const account of accounts) {
    const before = positions.get(account.arrangementId)
    if (!before) {
      opened.push(openPosition(account, products.get(account.productId)!, now))
      continue
    }
    const lifecycle = lifecycleOf(account)
    const isSame = before.isClosing === lifecycle.isClosing && before.isEnded === lifecycle.isEnded
    if (!isSame) {
      changed.push({ ...before, ...lifecycle, version: before.version + 1, updatedAt: now })
    }
  }
  return { writes: [...insertPositions(opened), ...updatePositions(changed)] }
}

/** Opens the position of an account, unless it is open. */
export function enroll(context: Context, arrangementId: string): Promise<void> {
  return command<void>(context, 'enrollForInterest', { arrangementId }, async () => ({
    result: undefined,
    ...(await decideEnrollment(context, [arrangementId])),
  }))
}
