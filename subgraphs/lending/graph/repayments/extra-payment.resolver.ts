import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, object } from '../../../../kernel/domain/model.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import * as commands from '../../commands/repayments/extra-payment.ts'
import { previewExtraPayment } from '../../commands/repayments/extra-payment-order.ts'
import {
  CreateExtraPaymentInput,
  ExtraPayment,
  ExtraPaymentPreview,
} from '../../model/repayments/extra-payment.ts'
import { loadExtraPayment } from '../../store/repayments/extra-payment.ts'
import { extraPaymentOut, extraPaymentPreviewOut } from '../relief/relief-out.ts'

const extraPaymentId = id('The ID of the extra payment.')

export const ExtraPaymentOperations = resolverOf({
  queries: {
    extraPayment: lookup(ExtraPayment, {
      description: 'Returns an extra payment.',
      scope: 'lending:read',
      async find(context, id) {
        const found = await loadExtraPayment(context, id)
        return extraPaymentOut(requireFound(found, 'EXTRA_PAYMENT_NOT_FOUND', id))
      },
    }),
    extraPaymentPreview: operation({
      description: 'Returns the effects that an extra payment would have. Nothing is stored.',
      scope: 'lending:read',
      returns: ExtraPaymentPreview,
      args: { input: object(CreateExtraPaymentInput, 'The extra payment to preview.') },
      resolve: async (context, { input }) =>
        extraPaymentPreviewOut(await previewExtraPayment(context, input)),
    }),
  },
  mutations: {
    createExtraPayment: operation({
      description:
        'Creates an extra payment. It pays the amount due first, then the interest accrued to ' +
        'date, then principal.',
      scope: 'lending:write',
      returns: ExtraPayment,
      args: { input: object(CreateExtraPaymentInput, 'The extra payment to create.') },
      resolve: async (context, { input }) =>
        extraPaymentOut(await commands.createExtraPayment(context, input)),
    }),
    applyExtraPayment: operation({
      description:
        'Books a requested extra payment for which the bank has received the money. Not ' +
        'available to delegated users.',
      scope: 'lending:write',
      returns: ExtraPayment,
      args: { extraPaymentId },
      resolve: async (context, args) =>
        extraPaymentOut(await commands.applyExtraPayment(context, args.extraPaymentId)),
    }),
    cancelExtraPayment: operation({
      description: 'Cancels a requested extra payment.',
      scope: 'lending:write',
      returns: ExtraPayment,
      args: { extraPaymentId },
      resolve: async (context, args) =>
        extraPaymentOut(await commands.cancelExtraPayment(context, args.extraPaymentId)),
    }),
    reverseExtraPayment: operation({
      description:
        'Reverses a booked extra payment and its fee, and restores the schedule as if the ' +
        'payment had not been made. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: ExtraPayment,
      args: { extraPaymentId },
      resolve: async (context, args) =>
        extraPaymentOut(await commands.reverseExtraPayment(context, args.extraPaymentId)),
    }),
  },
})
