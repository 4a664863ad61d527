import { Requires } from '../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { nextPeriodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { connectionOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { DecimalScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { deposits } from '../commands/book.ts'
import { loadInputs, loadVisiblePosition } from '../commands/load-inputs.ts'
import { lastEndedDay } from '../commands/read-inputs.ts'
import { dueOnClosure } from '../domain/preview.ts'
import {
  AccountInterest,
  InterestAccrual,
  InterestAdjustment,
  InterestCapitalization,
  InterestTier,
} from '../model/interest.ts'
import { AccountArrangementStub, PostingInstructionStub, ProductStub } from '../model/references.ts'
import { accrualOut, adjustmentOut, capitalizationOut, interestOut } from './shown.ts'

const { days, payments } = deposits

@Resolver(() => AccountArrangementStub)
export class ArrangementInterestResolver {
  @Requires('accounts:read')
  @FieldResolver(() => AccountInterest, {
    nullable: true,
    description: 'The interest that the account earns; null if it earns none.',
  })
  async interest(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<AccountInterest | null> {
    const position = await loadVisiblePosition(context, deposits, arrangementId)
    return position?.isBearing ? interestOut(position) : null
  }
}

@Resolver(() => AccountInterest)
export class AccountInterestResolver {
  @FieldResolver(() => ProductStub, {
    nullable: true,
    description:
      'The product version whose interest terms apply today; null if the account earns no ' +
      'interest today. After a repricing, it is not the version under which the account was opened.',
  })
  async terms(
    @Root() { position }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<ProductStub | null> {
    const { termsOn } = (await loadInputs(context, position))!
    const inForce = termsOn(dateOf(context.now()))
    return inForce && { productId: position.productId, version: inForce.productVersion }
  }

  @FieldResolver(() => DecimalScalar, {
    nullable: true,
    description:
      'The rate, in percent per year, that the bank approved for the account and that replaces ' +
      'the rates of the product today; null if the rates of the product apply.',
  })
  async rateOverridePct(
    @Root() { position }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<string | null> {
    const { termsOn } = (await loadInputs(context, position))!
    const inForce = termsOn(dateOf(context.now()))
    return inForce?.rateId ? inForce.terms.tiers[0]!.annualRatePct : null
  }

  @FieldResolver(() => [InterestTier], {
    description:
      'The rates that the account earns today, in ascending order of `upTo`; empty if it earns no ' +
      'interest today.',
  })
  async currentTiers(
    @Root() { position }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<InterestTier[]> {
    const { termsOn } = (await loadInputs(context, position))!
    const tiers = termsOn(dateOf(context.now()))?.terms.tiers ?? []
    return tiers.map(({ upTo, annualRatePct }) => ({ upTo: upTo && moneyOut(upTo), annualRatePct }))
  }

  @FieldResolver(() => LocalDateScalar, {
    nullable: true,
    description:
      'The day on which accrued interest is paid next, by the calendar of the product or at the end ' +
      'of a term deposit; null if it is paid when the account is closed, or if the account earns no ' +
      'interest today.',
  })
  async nextCapitalizationOn(
    @Root() { position }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<string | null> {
    const { termsOn, term } = (await loadInputs(context, position))!
    const today = dateOf(context.now())
    const inForce = termsOn(today)
    if (!inForce) return null
    const periodEnd = nextPeriodStartOf(inForce.terms.capitalization, today)
    const termEnd = term?.deposit.endsOn ?? null
    return periodEnd === null || (termEnd !== null && termEnd < periodEnd) ? termEnd : periodEnd
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The interest, before tax, that is paid if the account is closed now: everything that is ' +
      'accrued and not paid, through yesterday. Negative if the customer owes interest.',
  })
  async dueOnClosure(
    @Root() { position }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const inputs = (await loadInputs(context, position))!
    const amountMinor = dueOnClosure(inputs, lastEndedDay(context))
    return moneyOut({ amountMinor, currency: position.currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The interest, before tax, that was paid in the current calendar year.',
  })
  async paidThisYear(
    @Root() { position: { arrangementId, currency } }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const { grossMinor } = (await payments.loadThisYear(context, arrangementId))!
    return moneyOut({ amountMinor: grossMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The tax that was withheld from interest in the current calendar year.',
  })
  async taxWithheldThisYear(
    @Root() { position: { arrangementId, currency } }: AccountInterest,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const { taxMinor } = (await payments.loadThisYear(context, arrangementId))!
    return moneyOut({ amountMinor: taxMinor, currency })
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description:
      'The account to which the interest is paid; null if it is paid into the account itself.',
  })
  payoutArrangement(@Root() { position }: AccountInterest): AccountArrangementStub | null {
    const { payoutArrangementId } = position
    return payoutArrangementId === null ? null : { arrangementId: payoutArrangementId }
  }

  @FieldResolver(() => connectionOf(InterestAccrual), {
    description: 'The interest of each day, the latest day first.',
  })
  accruals(
    @Root() { position: { arrangementId, currency } }: AccountInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'interestAccruals',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await days.list(context, arrangementId, { after: from?.[0] ?? null, take })).map((day) =>
          accrualOut(day, currency),
        ),
      ({ accruedOn }) => [accruedOn],
    )
  }

  @FieldResolver(() => connectionOf(InterestAdjustment), {
    description: 'The corrections of interest that was accrued before, the latest first.',
  })
  adjustments(
    @Root() { position: { arrangementId } }: AccountInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'interestAdjustments',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listAdjustments(context, arrangementId, { after: from, take })).map(
          adjustmentOut,
        ),
      ({ createdAt, adjustmentId }) => [createdAt.toISOString(), adjustmentId],
    )
  }

  @FieldResolver(() => connectionOf(InterestCapitalization), {
    description: 'The payments of interest, the latest first.',
  })
  capitalizations(
    @Root() { position: { arrangementId } }: AccountInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'interestCapitalizations',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listPayments(context, arrangementId, { after: from, take })).map(
          capitalizationOut,
        ),
      ({ effectiveOn, capitalizationId }) => [effectiveOn, capitalizationId],
    )
  }
}

@Resolver(() => InterestCapitalization)
export class InterestCapitalizationResolver {
  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account to which the interest was paid.',
  })
  paidTo(@Root() { paidToArrangementId }: InterestCapitalization): AccountArrangementStub {
    return { arrangementId: paidToArrangementId }
  }

  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'The posting with which the interest was paid.',
  })
  postingInstruction(@Root() { postingInstructionId }: InterestCapitalization) {
    return { postingInstructionId }
  }
}
