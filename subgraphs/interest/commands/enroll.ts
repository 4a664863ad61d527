import type { Context } from '../../../kernel/environment/context.ts'
import { command, type Decision } from '../../../kernel/writing/command.ts'
import { closedPosition } from '../domain/exposure.ts'
import { lifecycleOf, openPosition, type ArrangementFact } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { ProductFact } from '../domain/terms.ts'
import { decideAgreedDeposits } from './agreed-deposits.ts'
import { deposits, overdrafts, type Book } from './book.ts'
import { commitmentFees } from './commitment-fees.ts'
import { readAccounts, readProducts } from './read-facts.ts'

/** What opens positions and records the lifecycles of their accounts. */
export type EnrollmentDecision = Required<Pick<Decision<void>, 'writes' | 'events' | 'facts'>>

/**
 * Returns the decision that opens the positions of accounts that have none, and records in the
 * others whether the account is being closed or is closed. Only accounts whose product version has
 * overdraft terms have a position of overdrafts, and of commitment fees if it has one.
 */
export async function decideEnrollment(
  context: Context,
  arrangementIds: readonly string[],
): Promise<EnrollmentDecision> {
  if (arrangementIds.length === 0) return { writes: [], events: [], facts: [] }
  const accounts = await readAccounts(context, arrangementIds)
  const products = await readProducts(
    context,
    accounts.map(({ productId }) => productId),
  )
  const overdraftAccounts = accounts.filter(({ productId, productVersion }) =>
    overdrafts.isBearing(products.get(productId)!, productVersion),
  )
  const chargedAccounts = overdraftAccounts.filter(({ productId, productVersion }) =>
    commitmentFees.isBearing(products.get(productId)!, productVersion),
  )
  const [inDeposits, inOverdrafts, inFees] = await Promise.all([
    enrollIn(context, deposits, accounts, products),
    enrollIn(context, overdrafts, overdraftAccounts, products),
    enrollIn(context, commitmentFees, chargedAccounts, products),
  ])
  const agreed = await decideAgreedDeposits(context, arrangementIds)
  return {
    writes: [...inDeposits.writes, ...inOverdrafts.writes, ...inFees.writes, ...agreed.writes],
    events: [...inOverdrafts.events, ...agreed.events],
    facts: [...inOverdrafts.facts, ...agreed.facts],
  }
}

async function enrollIn(
  context: Context,
  book: Book,
  accounts: readonly ArrangementFact[],
  products: ReadonlyMap<string, ProductFact>,
): Promise<EnrollmentDecision> {
  const ids = accounts.map(({ arrangementId }) => arrangementId)
  const stored = await book.positions.find(context, ids)
  const positions = new Map(stored.map((position) => [position.arrangementId, position]))
  const now = context.now()
  const opened = accounts
    .filter(({ arrangementId }) => !positions.has(arrangementId))
    .map((account) => {
      const product = products.get(account.productId)!
      return openPosition(account, book.isBearing(product, account.productVersion), now)
    })
  const followed = followLifecycles(context, book, accounts, positions)
  return { ...followed, writes: [...book.positions.insert(opened), ...followed.writes] }
}

/**
 * Records in the positions of accounts whether the account is being closed or is closed. Nothing is
 * owed by a closed account.
 */
export function followLifecycles(
  context: Context,
  book: Book,
  accounts: readonly ArrangementFact[],
  positions: ReadonlyMap<string, InterestPosition>,
): EnrollmentDecision {
  const changed = accounts.flatMap((account) => {
    const before = positions.get(account.arrangementId)
    const lifecycle = lifecycleOf(account)
    const { isClosing, isEnded } = lifecycle
    if (!before || (before.isClosing === isClosing && before.isEnded === isEnded)) return []
    const version = { version: before.version + 1, updatedAt: context.now() }
    const moved = isEnded ? closedPosition(before) : before
    return [{ before, after: { ...moved, ...lifecycle, ...version } }]
  })
  const published = book.exposures?.publish(changed) ?? { events: [], facts: [] }
  return { ...published, writes: book.positions.update(changed.map(({ after }) => after)) }
}

/** Opens the position of an account, unless it is open. */
export function enroll(context: Context, arrangementId: string): Promise<void> {
  return command<void>(context, 'enrollForInterest', { arrangementId }, async () => ({
    result: undefined,
    ...(await decideEnrollment(context, [arrangementId])),
  }))
}
