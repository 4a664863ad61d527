import { dateOf } from '../../../kernel/domain/dates.ts'
import {
  fixedTermsOn,
  requireAgreedTerm,
  type AgreedTerm,
} from '../../../kernel/domain/fixed-terms.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import type { InterestPosition } from '../domain/position.ts'
import type { ProductFact } from '../domain/terms.ts'
import { deposits } from './book.ts'

/**
 * Returns the term that the product of an account offers today. An account without terms of interest
 * today, which has only those of a version to come, is offered none. Throws TERM_DEPOSIT_NOT_OFFERED.
 */
export async function requireOffered(
  context: Context,
  position: InterestPosition,
  months: number,
  principalMinor: bigint,
): Promise<AgreedTerm> {
  const today = dateOf(context.now())
  const [fact] = await readHeldFacts(context, [`product/${position.productId}`])
  const [terms] = await deposits.readTerms(context, [position])
  const isBearing = terms!.termsOn(today) !== null
  const offered = isBearing ? fixedTermsOn(fact as unknown as ProductFact, today) : null
  return requireAgreedTerm(offered, months, principalMinor)
}
