import { maySee } from '../../../kernel/authorization/auth.ts'
import { loader, type Context } from '../../../kernel/environment/context.ts'
import type { AccrualInputs } from '../domain/accrued-day.ts'
import { openPosition } from '../domain/open-position.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { TermsByDay } from '../domain/terms.ts'
import { deposits, overdrafts, type Book } from './book.ts'
import { commitmentFees } from './commitment-fees.ts'
import { readAccounts, readProducts } from './read-facts.ts'
import { readInputs } from './read-inputs.ts'

/**
 * Loads the position of an account in a book; null if the account does not exist or is not visible to the
 * caller. The position of an account that was opened just now is not stored yet, so it is created
 * from the published account.
 */
export async function loadVisiblePosition(
  context: Context,
  book: Book,
  arrangementId: string,
): Promise<InterestPosition | null> {
  const stored = await book.positions.load(context, arrangementId)
  if (stored) return stored
  const [account] = await readAccounts(context, [arrangementId])
  if (!account || !maySee(context.caller, [account.partyId])) return null
  const products = await readProducts(context, [account.productId])
  const isBearing = book.isBearing(products.get(account.productId)!, account.productVersion)
  return openPosition(account, isBearing, context.now())
}

const inputsOf = (book: Book) =>
  loader<InterestPosition, AccrualInputs>((context, positions) =>
    readInputs(context, book, positions),
  )

/** Loads what the interest of a position that earns interest is accrued from. */
export const loadInputs = inputsOf(deposits)
/** Loads what the commitment fee of a position is accrued from. */
export const loadCommitmentFeeInputs = inputsOf(commitmentFees)
/** Loads the terms of the position of an overdraft by day. */
export const loadOverdraftTerms = loader<InterestPosition, TermsByDay>(async (context, positions) =>
  (await overdrafts.readTerms(context, positions)).map(({ termsOn }) => termsOn),
)
/** Loads what the interest of the position of an overdraft is accrued from. */
export const loadOverdraftInputs = inputsOf(overdrafts)
