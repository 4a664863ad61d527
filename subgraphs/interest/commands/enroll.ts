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

/** The positions of a book, by account. */
type Positions = ReadonlyMap<string, InterestPosition>

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
  const [depositPositions, overdraftPositions, feePositions] = await Promise.all([
    readPositions(context, deposits, arrangementIds),
    readPositions(context, overdrafts, arrangementIds),
    readPositions(context, commitmentFees, arrangementIds),
  ])
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
  const enrollIn = (book: Book, enrolled: readonly ArrangementFact[], positions: Positions) =>
    enrollAccounts(context, book, enrolled, { products, positions })
  const inDeposits = enrollIn(deposits, accounts, depositPositions)
  const inOverdrafts = enrollIn(overdrafts, overdraftAccounts, overdraftPositions)
  const inFees = enrollIn(commitmentFees, chargedAccounts, feePositions)
  const agreed = await decideAgreedDeposits(context, arrangementIds)
  return {
    writes: [...inDeposits.writes, ...inOverdrafts.writes, ...inFees.writes, ...agreed.writes],
    events: [...inOverdrafts.events, ...agreed.events],
    facts: [...inOverdrafts.facts, ...agreed.facts],
  }
}

/**
 * Reads the positions of accounts. They are read before the accounts: otherwise, what another process
 * records of an account that ends meanwhile would be replaced by its former state.
 */
export async function readPositions(
  context: Context,
  book: Book,
  arrangementIds: readonly string[],
): Promise<Positions> {
  const stored = await book.positions.find(context, arrangementIds)
  return new Map(stored.map((position) => [position.arrangementId, position]))
}

function enrollAccounts(
  context: Context,
  book: Book,
  accounts: readonly ArrangementFact[],
  { products, positions }: { products: ReadonlyMap<string, ProductFact>; positions: Positions },
): EnrollmentDecision {
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
  positions: Positions,
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
