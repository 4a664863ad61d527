import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import { previewExtraPayment } from '../../commands/repayments/extra-payment-order.ts'
import * as commands from '../../commands/repayments/extra-payment.ts'
import { loadExtraPayment } from '../../store/repayments/extra-payment.ts'
import {
  CreateExtraPaymentInput,
  ExtraPayment,
  ExtraPaymentPreview,
} from '../../model/repayments/extra-payment.ts'
import { extraPaymentOut, extraPaymentPreviewOut } from '../relief/relief-out.ts'

@Resolver(() => ExtraPayment)
export class ExtraPaymentResolver {
  @Requires('lending:read')
  @Query(() => ExtraPayment, { nullable: true, description: 'Returns an extra payment.' })
  async extraPayment(
    @Arg('extraPaymentId', () => ID, { description: 'The ID of the extra payment.' })
    extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    const payment = await loadExtraPayment(context, extraPaymentId)
    if (payment) return extraPaymentOut(payment)
    throw new Problem('EXTRA_PAYMENT_NOT_FOUND', { resourceId: extraPaymentId })
  }

  @Requires('lending:read')
  @Query(() => ExtraPaymentPreview, {
    description: 'Returns the effects that an extra payment would have. Nothing is stored.',
  })
  async extraPaymentPreview(
    @Arg('input', () => CreateExtraPaymentInput, { description: 'The extra payment to preview.' })
    input: CreateExtraPaymentInput,
    @Ctx() context: Context,
  ): Promise<ExtraPaymentPreview> {
    return extraPaymentPreviewOut(await previewExtraPayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description:
      'Creates an extra payment. It pays the amount due first, then the interest accrued to ' +
      'date, then principal.',
  })
  async createExtraPayment(
    @Arg('input', () => CreateExtraPaymentInput, { description: 'The extra payment to create.' })
    input: CreateExtraPaymentInput,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.createExtraPayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description:
      'Books a requested extra payment for which the bank has received the money. Not available ' +
      'to delegated users.',
  })
  async applyExtraPayment(
    @Arg('extraPaymentId', () => ID, { description: 'The ID of the extra payment.' })
    extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.applyExtraPayment(context, extraPaymentId))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, { description: 'Cancels a requested extra payment.' })
  async cancelExtraPayment(
    @Arg('extraPaymentId', () => ID, { description: 'The ID of the extra payment.' })
    extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.cancelExtraPayment(context, extraPaymentId))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description:
      'Reverses a booked extra payment and its fee, and restores the schedule as if the payment ' +
      'had not been made. Not available to delegated users.',
  })
  async reverseExtraPayment(
    @Arg('extraPaymentId', () => ID, { description: 'The ID of the extra payment.' })
    extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.reverseExtraPayment(context, extraPaymentId))
  }
}
