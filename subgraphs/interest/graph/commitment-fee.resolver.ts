import { Requires } from '../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../kernel/domain/dates.ts'
import { nextPeriodStartOf } from '../../../kernel/domain/deposit-interest.ts'
import { connectionOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../kernel/graph/money.types.ts'
import { DecimalScalar, LocalDateScalar } from '../../../kernel/graph/scalars.ts'
import { commitmentFees } from '../commands/commitment-fees.ts'
import { loadCommitmentFeeInputs, loadVisiblePosition } from '../commands/load-inputs.ts'
import { lastEndedDay } from '../commands/read-inputs.ts'
import type { AccruedDay } from '../domain/accrued-day.ts'
import { unusedMinor } from '../domain/commitment-fee.ts'
import { dueOnClosure } from '../domain/preview.ts'
import type { TermsByDay } from '../domain/terms.ts'
import {
  CommitmentFee,
  CommitmentFeeAccrual,
  CommitmentFeeCharge,
} from '../model/commitment-fee.ts'
import { InterestAdjustment } from '../model/interest.ts'
import { AccountArrangementStub, PostingInstructionStub } from '../model/references.ts'
import { adjustmentOut, chargeOut, exactAmountOf, interestOut } from './shown.ts'

const { days, payments } = commitmentFees

@Resolver(() => AccountArrangementStub)
export class ArrangementCommitmentFeeResolver {
  @Requires('accounts:read')
  @FieldResolver(() => CommitmentFee, {
    nullable: true,
    description:
      'The fee for the unused part of the limit; null if the product version of the account has none.',
  })
  async commitmentFee(
    @Root() { arrangementId }: AccountArrangementStub,
    @Ctx() context: Context,
  ): Promise<CommitmentFee | null> {
    const position = await loadVisiblePosition(context, commitmentFees, arrangementId)
    return position?.isBearing ? interestOut(position) : null
  }
}

@Resolver(() => CommitmentFee)
export class CommitmentFeeResolver {
  @FieldResolver(() => DecimalScalar, {
    description: 'The fee in percent per year of the unused part of the limit.',
  })
  async annualRatePct(
    @Root() { position }: CommitmentFee,
    @Ctx() context: Context,
  ): Promise<string> {
    const { termsOn } = (await loadCommitmentFeeInputs(context, position))!
    return termsOn(dateOf(context.now()))!.terms.tiers[0]!.annualRatePct
  }

  @FieldResolver(() => LocalDateScalar, {
    nullable: true,
    description: 'The day on which the accrued fee is charged next.',
  })
  async nextChargeOn(
    @Root() { position }: CommitmentFee,
    @Ctx() context: Context,
  ): Promise<string | null> {
    const { termsOn } = (await loadCommitmentFeeInputs(context, position))!
    const today = dateOf(context.now())
    return nextPeriodStartOf(termsOn(today)!.terms.capitalization, today)
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The fee that is charged if the account is closed now: everything that is accrued and not ' +
      'charged, through yesterday.',
  })
  async dueOnClosure(
    @Root() { position }: CommitmentFee,
    @Ctx() context: Context,
  ): Promise<MoneyType> {
    const inputs = (await loadCommitmentFeeInputs(context, position))!
    const amountMinor = dueOnClosure(inputs, lastEndedDay(context))
    return moneyOut({ amountMinor, currency: position.currency })
  }

  @FieldResolver(() => connectionOf(CommitmentFeeAccrual), {
    description: 'The fee of each day on which the account had a limit, the latest first.',
  })
  async accruals(
    @Root() { position }: CommitmentFee,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    const { arrangementId, currency } = position
    const { termsOn } = (await loadCommitmentFeeInputs(context, position))!
    return readPage(
      context,
      'commitmentFeeAccruals',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await days.list(context, arrangementId, { after: from?.[0] ?? null, take })).map((day) =>
          accrualOut(day, currency, termsOn),
        ),
      ({ accruedOn }) => [accruedOn],
    )
  }

  @FieldResolver(() => connectionOf(InterestAdjustment), {
    description: 'The corrections of fees that were accrued before, the latest first.',
  })
  adjustments(
    @Root() { position: { arrangementId } }: CommitmentFee,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'commitmentFeeAdjustments',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listAdjustments(context, arrangementId, { after: from, take })).map(
          adjustmentOut,
        ),
      ({ createdAt, adjustmentId }) => [createdAt.toISOString(), adjustmentId],
    )
  }

  @FieldResolver(() => connectionOf(CommitmentFeeCharge), {
    description: 'The fees that were charged to the account, the latest first.',
  })
  charges(
    @Root() { position: { arrangementId } }: CommitmentFee,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return readPage(
      context,
      'commitmentFeeCharges',
      { arrangementId },
      { first, after },
      async (from, take) =>
        (await payments.listPayments(context, arrangementId, { after: from, take })).map(chargeOut),
      ({ effectiveOn, chargeId }) => [effectiveOn, chargeId],
    )
  }
}

@Resolver(() => CommitmentFeeCharge)
export class CommitmentFeeChargeResolver {
  @FieldResolver(() => PostingInstructionStub, {
    nullable: true,
    description: 'The posting with which the fee was charged.',
  })
  postingInstruction(@Root() { postingInstructionId }: CommitmentFeeCharge) {
    return { postingInstructionId }
  }
}

function accrualOut(day: AccruedDay, currency: string, termsOn: TermsByDay): CommitmentFeeAccrual {
  const { accruedOn, balanceMinor, units, rateId, isSuspended } = day
  const { commitment } = termsOn(accruedOn)!
  return {
    accruedOn,
    unused: moneyOut({ amountMinor: unusedMinor(commitment!, balanceMinor), currency }),
    exactAmount: exactAmountOf(units, currency),
    isPaused: isSuspended,
    overdraftId: rateId,
  }
}
