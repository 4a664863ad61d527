import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { previewExtraPayment } from '../extra-payment-asked.ts'
import * as commands from '../extra-payments.ts'
import { loadExtraPayment } from '../store/extra-payment.ts'
import {
  CreateExtraPaymentInput,
  ExtraPayment,
  ExtraPaymentPreview,
} from './extra-payment.types.ts'
import { extraPaymentOut, extraPaymentPreviewOut } from './relief-out.ts'

@Resolver(() => ExtraPayment)
export class ExtraPaymentResolver {
  @Requires('lending:read')
  @Query(() => ExtraPayment, { nullable: true, description: 'One extra payment.' })
  async extraPayment(
    @Arg('extraPaymentId', () => ID) extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    const payment = await loadExtraPayment(context, extraPaymentId)
    if (payment) return extraPaymentOut(payment)
    throw new Problem('EXTRA_PAYMENT_NOT_FOUND', { resourceId: extraPaymentId })
  }

  @Requires('lending:read')
  @Query(() => ExtraPaymentPreview, {
    description: 'What an extra payment would do. Nothing is stored.',
  })
  async extraPaymentPreview(
    @Arg('input', () => CreateExtraPaymentInput) input: CreateExtraPaymentInput,
    @Ctx() context: Context,
  ): Promise<ExtraPaymentPreview> {
    return extraPaymentPreviewOut(await previewExtraPayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description:
      'Pays beside the instalments: what is due first, then interest to date, then principal.',
  })
  async createExtraPayment(
    @Arg('input', () => CreateExtraPaymentInput) input: CreateExtraPaymentInput,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.createExtraPayment(context, input))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description: 'Books a requested payment: the bank has the money.',
  })
  async applyExtraPayment(
    @Arg('extraPaymentId', () => ID) extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.applyExtraPayment(context, extraPaymentId))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, { description: 'Gives a requested payment up.' })
  async cancelExtraPayment(
    @Arg('extraPaymentId', () => ID) extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.cancelExtraPayment(context, extraPaymentId))
  }

  @Requires('lending:write')
  @Mutation(() => ExtraPayment, {
    description:
      'Takes a booked payment back, with its fee: the schedule is as if it had not been.',
  })
  async reverseExtraPayment(
    @Arg('extraPaymentId', () => ID) extraPaymentId: string,
    @Ctx() context: Context,
  ): Promise<ExtraPayment> {
    return extraPaymentOut(await commands.reverseExtraPayment(context, extraPaymentId))
  }
}
