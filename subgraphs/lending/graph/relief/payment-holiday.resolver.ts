import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../../kernel/domain/model.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import * as commands from '../../commands/relief/payment-holiday.ts'
import {
  CreatePaymentHolidayInput,
  PaymentHoliday,
  PaymentHolidayPreview,
} from '../../model/relief/payment-holiday.ts'
import { loadPaymentHoliday } from '../../store/relief/payment-holiday.ts'
import { paymentHolidayOut, paymentHolidayPreviewOut } from './relief-out.ts'

const paymentHolidayId = id('The ID of the payment holiday.')

export const PaymentHolidayOperations = resolverOf({
  queries: {
    paymentHoliday: lookup(PaymentHoliday, {
      description: 'Returns a payment holiday.',
      scope: 'lending:read',
      async find(context, id) {
        const found = await loadPaymentHoliday(context, id)
        return paymentHolidayOut(requireFound(found, 'PAYMENT_HOLIDAY_NOT_FOUND', id))
      },
    }),
    paymentHolidayPreview: operation({
      description: 'Returns the effects that a payment holiday would have. Nothing is stored.',
      scope: 'lending:read',
      returns: PaymentHolidayPreview,
      args: { input: object(CreatePaymentHolidayInput, 'The payment holiday to preview.') },
      resolve: async (context, { input }) =>
        paymentHolidayPreviewOut(await commands.previewPaymentHoliday(context, input)),
    }),
  },
  mutations: {
    createPaymentHoliday: operation({
      description:
        'Requests a payment holiday. It is approved immediately unless the product requires the ' +
        "bank's approval.",
      scope: 'lending:write',
      returns: PaymentHoliday,
      args: { input: object(CreatePaymentHolidayInput, 'The payment holiday to request.') },
      resolve: async (context, { input }) =>
        paymentHolidayOut(await commands.createPaymentHoliday(context, input)),
    }),
    approvePaymentHoliday: operation({
      description:
        "Approves a requested payment holiday, even if it exceeds the product's allowance. Not " +
        'available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: PaymentHoliday,
      args: { paymentHolidayId },
      resolve: async (context, args) =>
        paymentHolidayOut(await commands.approvePaymentHoliday(context, args.paymentHolidayId)),
    }),
    declinePaymentHoliday: operation({
      description: 'Declines a requested payment holiday. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: PaymentHoliday,
      args: {
        paymentHolidayId,
        reasonCode: label('The reason why the payment holiday is declined.').orNull(),
      },
      resolve: async (context, args) =>
        paymentHolidayOut(await commands.declinePaymentHoliday(context, args)),
    }),
    cancelPaymentHoliday: operation({
      description:
        'Cancels a payment holiday before it starts, and restores the schedule as if the payment ' +
        'holiday had not been approved.',
      scope: 'lending:write',
      returns: PaymentHoliday,
      args: { paymentHolidayId },
      resolve: async (context, args) =>
        paymentHolidayOut(await commands.cancelPaymentHoliday(context, args.paymentHolidayId)),
    }),
    endPaymentHoliday: operation({
      description:
        'Ends an active payment holiday early. Payments resume with the next installment.',
      scope: 'lending:write',
      returns: PaymentHoliday,
      args: { paymentHolidayId },
      resolve: async (context, args) =>
        paymentHolidayOut(await commands.endPaymentHoliday(context, args.paymentHolidayId)),
    }),
  },
})
