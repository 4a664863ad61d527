import type { Context } from '../../../kernel/environment/context.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { lifecycleOf, openPosition, type ArrangementFact } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { ProductFact } from '../domain/terms.ts'
import { deposits, overdrafts, type Book } from './book.ts'
import { readAccounts, readProducts } from './read-facts.ts'

/**
 * Returns the decision that opens the positions of accounts that have none, and records in the
 * others whether the account is being closed or is closed. Only accounts whose product version has
 * overdraft terms have a position of overdrafts.
 */
export async function decideEnrollment(
  context: Context,
  arrangementIds: readonly string[],
): Promise<Required<Pick<Decision<void>, 'writes'>>> {
  if (arrangementIds.length === 0) return { writes: [] }
  const accounts = await readAccounts(context, arrangementIds)
  const products = await readProducts(
    context,
    accounts.map(({ productId }) => productId),
  )
  const overdraftAccounts = accounts.filter(({ productId, productVersion }) =>
    overdrafts.isBearing(products.get(productId)!, productVersion),
  )
  const writes = await Promise.all([
    enrollIn(context, deposits, accounts, products),
    enrollIn(context, overdrafts, overdraftAccounts, products),
  ])
  return { writes: writes.flat() }
}

async function enrollIn(
  context: Context,
  book: Book,
  accounts: readonly ArrangementFact[],
  products: ReadonlyMap<string, ProductFact>,
): Promise<Write[]> {
  if (accounts.length === 0) return []
  const ids = accounts.map(({ arrangementId }) => arrangementId)
  const stored = await book.positions.find(context, ids)
  const positions = new Map(stored.map((position) => [position.arrangementId, position]))
  const now = context.now()
  const opened: InterestPosition[] = []
  const changed: InterestPosition[] = []
  for (const account of accounts) {
    const before = positions.get(account.arrangementId)
    if (!before) {
      const product = products.get(account.productId)!
      opened.push(openPosition(account, book.isBearing(product, account.productVersion), now))
      continue
    }
    const lifecycle = lifecycleOf(account)
    const isSame = before.isClosing === lifecycle.isClosing && before.isEnded === lifecycle.isEnded
    if (!isSame) {
      changed.push({ ...before, ...lifecycle, version: before.version + 1, updatedAt: now })
    }
  }
  return [...book.positions.insert(opened), ...book.positions.update(changed)]
}

/** Opens the position of an account, unless it is open. */
export function enroll(context: Context, arrangementId: string): Promise<void> {
  return command<void>(context, 'enrollForInterest', { arrangementId }, async () => ({
    result: undefined,
    ...(await decideEnrollment(context, [arrangementId])),
  }))
}
