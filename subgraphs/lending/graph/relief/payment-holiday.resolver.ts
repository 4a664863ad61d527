import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../../kernel/graph/decorators.ts'
import { Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Problem } from '../../domain/problems.ts'
import { LabelScalar } from '../../../../kernel/graph/scalars.ts'
import * as commands from '../../commands/relief/payment-holiday.ts'
import { loadPaymentHoliday } from '../../store/relief/payment-holiday.ts'
import {
  CreatePaymentHolidayInput,
  PaymentHoliday,
  PaymentHolidayPreview,
} from '../../model/relief/payment-holiday.ts'
import { paymentHolidayOut, paymentHolidayPreviewOut } from './relief-out.ts'

@Resolver(() => PaymentHoliday)
export class PaymentHolidayResolver {
  @Requires('lending:read')
  @Query(() => PaymentHoliday, { nullable: true, description: 'Returns a payment holiday.' })
  async paymentHoliday(
    @Arg('paymentHolidayId', () => ID, { description: 'The ID of the payment holiday.' })
    paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    const holiday = await loadPaymentHoliday(context, paymentHolidayId)
    if (holiday) return paymentHolidayOut(holiday)
    throw new Problem('PAYMENT_HOLIDAY_NOT_FOUND', { resourceId: paymentHolidayId })
  }

  @Requires('lending:read')
  @Query(() => PaymentHolidayPreview, {
    description: 'Returns the effects that a payment holiday would have. Nothing is stored.',
  })
  async paymentHolidayPreview(
    @Arg('input', () => CreatePaymentHolidayInput, {
      description: 'The payment holiday to preview.',
    })
    input: CreatePaymentHolidayInput,
    @Ctx() context: Context,
  ): Promise<PaymentHolidayPreview> {
    return paymentHolidayPreviewOut(await commands.previewPaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description:
      'Requests a payment holiday. It is approved immediately unless the product requires the ' +
      "bank's approval.",
  })
  async createPaymentHoliday(
    @Arg('input', () => CreatePaymentHolidayInput, {
      description: 'The payment holiday to request.',
    })
    input: CreatePaymentHolidayInput,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.createPaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description:
      "Approves a requested payment holiday, even if it exceeds the product's allowance. Not " +
      'available to delegated users.',
  })
  async approvePaymentHoliday(
    @Arg('paymentHolidayId', () => ID, { description: 'The ID of the payment holiday.' })
    paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.approvePaymentHoliday(context, paymentHolidayId))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description: 'Declines a requested payment holiday. Not available to delegated users.',
  })
  async declinePaymentHoliday(
    @Arg('paymentHolidayId', () => ID, { description: 'The ID of the payment holiday.' })
    paymentHolidayId: string,
    @Arg('reasonCode', () => LabelScalar, {
      nullable: true,
      description: 'The reason why the payment holiday is declined.',
    })
    reasonCode: string | null,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    const input = { paymentHolidayId, reasonCode: reasonCode ?? null }
    return paymentHolidayOut(await commands.declinePaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description:
      'Cancels a payment holiday before it starts, and restores the schedule as if the payment ' +
      'holiday had not been approved.',
  })
  async cancelPaymentHoliday(
    @Arg('paymentHolidayId', () => ID, { description: 'The ID of the payment holiday.' })
    paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.cancelPaymentHoliday(context, paymentHolidayId))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description: 'Ends an active payment holiday early. Payments resume with the next installment.',
  })
  async endPaymentHoliday(
    @Arg('paymentHolidayId', () => ID, { description: 'The ID of the payment holiday.' })
    paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.endPaymentHoliday(context, paymentHolidayId))
  }
}
