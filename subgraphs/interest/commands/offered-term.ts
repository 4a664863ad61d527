import { dateOf } from '../../../kernel/domain/dates.ts'
import { formatAmount } from '../../../kernel/domain/money.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readHeldFacts } from '../../../kernel/writing/facts.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import { agreedTerm, fixedTermsOn, type AgreedTerm } from '../domain/term-deposit.ts'
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
  const term = agreedTerm(offered, months, principalMinor)
  if (term) return term
  const code = 'TERM_DEPOSIT_NOT_OFFERED'
  const lengths = offered?.offers.map((each) => each.months) ?? []
  const isLengthOffered = lengths.includes(months)
  const { minimumAmount = null, maximumAmount = null } = offered ?? {}
  const money = (bound: { amountMinor: bigint; currency: string }) =>
    `${formatAmount(bound.amountMinor, bound.currency)} ${bound.currency}`
  const bounds = [
    minimumAmount ? `at least ${money(minimumAmount)}` : 'above zero',
    maximumAmount && `at most ${money(maximumAmount)}`,
  ]
  const detail = isLengthOffered
    ? `A deposit must be ${bounds.filter(Boolean).join(' and ')}.`
    : `The product offers ${lengths.length > 0 ? `terms of ${lengths.join(', ')} months` : 'no fixed terms'}.`
  const pointer = isLengthOffered ? '/amount/amount' : '/months'
  throw new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
