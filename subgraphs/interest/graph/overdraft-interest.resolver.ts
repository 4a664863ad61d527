import { dateOf, type LocalDate } from '../../../kernel/domain/dates.ts'
import { nextPeriodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import { connectionOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { overdrafts } from '../commands/book.ts'
import {
  loadOverdraftInputs,
  loadOverdraftTerms,
  loadVisiblePosition,
} from '../commands/load-inputs.ts'
import { lastEndedDay } from '../commands/read-inputs.ts'
import type { InterestPosition } from '../domain/position.ts'
import { dueOnClosure } from '../domain/preview.ts'
import { InterestAdjustment } from '../model/interest.ts'
import {
  OverdraftInterest,
  OverdraftInterestAccrual,
  OverdraftInterestCharge,
  OverdraftRates,
} from '../model/overdraft-interest.ts'
import { AccountArrangementStub, PostingInstructionStub } from '../model/references.ts'
import {
  adjustmentOut,
  chargeOut,
  overdraftAccrualOut,
  overdraftInterestOut,
  overdraftRatesOut,
} from './shown.ts'

const { days, payments } = overdrafts

@Resolver(() => AccountArrangementStub)
export class ArrangementOverdraftInterestResolver {
  @Requires('accounts:read')
  @FieldResolver(() => OverdraftInterest, {
    nullable: true,
    description:
      'The interest that the account owes when it is overdrawn; null if overdrafts under its ' +
      'product version bear no interest.',
  })
  async overdraftInterest(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<OverdraftInterest | null> {
    const position = await loadVisiblePosition(context, overdrafts, arrangementId)
    return position?.isBearing ? overdraftInterestOut(position) : null
  }
}

@Resolver(() => OverdraftInterest)
export class OverdraftInterestResolver {
  @FieldResolver(() => LocalDateScalar, {
    nullable: true,
    description: 'The day on which accrued interest is charged next.',
  })
  async nextChargeOn(
    @Root() { position }: OverdraftInterest,
    @Ctx() context: Context,
  ): Promise<string | null> {
    const { termsOn } = (await loadOverdraftInputs(context, position))!
    const today = dateOf(context.now())
    const inForce = termsOn(today)
    return inForce && nextPeriodStartOf(inForce.terms.capitalization, today)
  }

  @FieldResolver(() => OverdraftRates, {
    nullable: true,
    description: 'The rates that apply today.',
  })
  async currentRates(
    @Root() { position }: OverdraftInterest,
    @Ctx() context: Context,
  ): Promise<OverdraftRates | null> {
    return readRates(context, position, dateOf(context.now()))
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The interest that is charged if the account is closed now: everything that is accrued and ' +
      'not charged, through yesterday.',
  })
  async dueOnClosure(
    @Root() { position }: OverdraftInterest,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const inputs = (await loadOverdraftInputs(context, position))!
    const amountMinor = dueOnClosure(inputs, lastEndedDay(context))
    return moneyOut({ amountMinor, currency: position.currency })
  }

  @FieldResolver(() => MoneyType, {
    description: 'The interest that was charged in the current calendar year.',
  })
  async chargedThisYear(
    @Root() { position: { arrangementId, currency } }: OverdraftInterest,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const { grossMinor } = (await payments.loadThisYear(context, arrangementId))!
    return moneyOut({ amountMinor: grossMinor, currency })
  }

  @FieldResolver(() => connectionOf(OverdraftInterestAccrual), {
    description: 'The interest of each day on which the account was overdrawn, the latest first.',
  })
  accruals(
    @Root() { position }: OverdraftInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    const { arrangementId } = position
    return readPage(
      context,
      'overdraftInterestAccruals',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await days.list(context, arrangementId, { after: from?.[0] ?? null, take })).map((day) =>
          overdraftAccrualOut(day, position),
        ),
      ({ accruedOn }) => [accruedOn],
    )
  }

  @FieldResolver(() => connectionOf(InterestAdjustment), {
    description: 'The corrections of interest that was accrued before, the latest first.',
  })
  adjustments(
    @Root() { position: { arrangementId } }: OverdraftInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'overdraftInterestAdjustments',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listAdjustments(context, arrangementId, { after: from, take })).map(
          adjustmentOut,
        ),
      ({ createdAt, adjustmentId }) => [createdAt.toISOString(), adjustmentId],
    )
  }

  @FieldResolver(() => connectionOf(OverdraftInterestCharge), {
    description: 'The interest that was charged to the account, the latest first.',
  })
  charges(
    @Root() { position: { arrangementId } }: OverdraftInterest,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'overdraftInterestCharges',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listPayments(context, arrangementId, { after: from, take })).map(chargeOut),
      ({ effectiveOn, chargeId }) => [effectiveOn, chargeId],
    )
  }
}

@Resolver(() => OverdraftInterestAccrual)
export class OverdraftInterestAccrualResolver {
  @FieldResolver(() => OverdraftRates, {
    nullable: true,
    description: 'The rates that applied on the day, with the fixing from which they follow.',
  })
  rates(
    @Root() { position, accruedOn }: OverdraftInterestAccrual,
    @Ctx() context: Context,
  ): Promise<OverdraftRates | null> {
    return readRates(context, position, accruedOn)
  }
}

async function readRates(
  context: Context,
  position: InterestPosition,
  day: LocalDate,
): Promise<OverdraftRates | null> {
  const termsOn = (await loadOverdraftTerms(context, position))!
  const rates = termsOn(day)?.rates
  return rates ? overdraftRatesOut(rates) : null
}

@Resolver(() => OverdraftInterestCharge)
export class OverdraftInterestChargeResolver {
  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'The posting with which the interest was charged.',
  })
  postingInstruction(@Root() { postingInstructionId }: OverdraftInterestCharge) {
    return { postingInstructionId }
  }
}
