import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import * as commands from '../payment-holidays.ts'
import { loadPaymentHoliday } from '../store/payment-holiday.ts'
import {
  CreatePaymentHolidayInput,
  PaymentHoliday,
  PaymentHolidayPreview,
} from './payment-holiday.types.ts'
import { paymentHolidayOut, paymentHolidayPreviewOut } from './relief-out.ts'

@Resolver(() => PaymentHoliday)
export class PaymentHolidayResolver {
  @Requires('lending:read')
  @Query(() => PaymentHoliday, { nullable: true, description: 'One payment holiday.' })
  async paymentHoliday(
    @Arg('paymentHolidayId', () => ID) paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    const holiday = await loadPaymentHoliday(context, paymentHolidayId)
    if (holiday) return paymentHolidayOut(holiday)
    throw new Problem('PAYMENT_HOLIDAY_NOT_FOUND', { resourceId: paymentHolidayId })
  }

  @Requires('lending:read')
  @Query(() => PaymentHolidayPreview, {
    description: 'What a payment holiday would do. Nothing is stored.',
  })
  async paymentHolidayPreview(
    @Arg('input', () => CreatePaymentHolidayInput) input: CreatePaymentHolidayInput,
    @Ctx() context: Context,
  ): Promise<PaymentHolidayPreview> {
    return paymentHolidayPreviewOut(await commands.previewPaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, {
    description:
      'Pauses instalments: at once, or when somebody approved it, if the product says so.',
  })
  async createPaymentHoliday(
    @Arg('input', () => CreatePaymentHolidayInput) input: CreatePaymentHolidayInput,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.createPaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, { description: 'Gives a requested holiday. The bank does.' })
  async approvePaymentHoliday(
    @Arg('paymentHolidayId', () => ID) paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.approvePaymentHoliday(context, paymentHolidayId))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, { description: 'Does not give a requested holiday.' })
  async declinePaymentHoliday(
    @Arg('paymentHolidayId', () => ID) paymentHolidayId: string,
    @Arg('reasonCode', () => LabelScalar, { nullable: true }) reasonCode: string | null,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    const input = { paymentHolidayId, reasonCode: reasonCode ?? null }
    return paymentHolidayOut(await commands.declinePaymentHoliday(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, { description: 'Gives a holiday up before it begins.' })
  async cancelPaymentHoliday(
    @Arg('paymentHolidayId', () => ID) paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.cancelPaymentHoliday(context, paymentHolidayId))
  }

  @Requires('lending:write')
  @Mutation(() => PaymentHoliday, { description: 'Ends a running holiday before its time.' })
  async endPaymentHoliday(
    @Arg('paymentHolidayId', () => ID) paymentHolidayId: string,
    @Ctx() context: Context,
  ): Promise<PaymentHoliday> {
    return paymentHolidayOut(await commands.endPaymentHoliday(context, paymentHolidayId))
  }
}
