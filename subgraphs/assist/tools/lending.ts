import { requireFound } from '../../../kernel/authorization/auth.ts'
import * as queries from '../queries.generated.ts'
import type { ToolName } from '../domain/tool.ts'
import { idOf, type Args, type ToolImplementation } from './tool-run.ts'

/** The implementations of the lending tools. */
export const lendingRuns: Partial<Record<ToolName, ToolImplementation>> = {
  async get_payoff(bank, { caller }, { loanId }) {
    const { facility } = await bank.queryGraph(
      queries.AssistPayoffDocument,
      { loanId: loanId! },
      { caller },
    )
    return { loanId, ...requireFound(facility, 'FACILITY_NOT_FOUND', loanId!) }
  },
  async get_application(bank, { caller }, { applicationId }) {
    const request = { applicationId: applicationId! }
    const found = await bank.queryGraph(queries.AssistApplicationDocument, request, { caller })
    return requireFound(found.loanApplication, 'APPLICATION_NOT_FOUND', applicationId!)
  },
  async preview_extra_payment(bank, { caller }, args) {
    const input = extraPaymentOf(args)
    const found = await bank.queryGraph(
      queries.AssistExtraPaymentPreviewDocument,
      { input },
      { caller },
    )
    return found.extraPaymentPreview!
  },
  async preview_payment_holiday(bank, { caller }, args) {
    const input = holidayOf(args)
    const found = await bank.queryGraph(queries.AssistHolidayPreviewDocument, { input }, { caller })
    return found.paymentHolidayPreview!
  },
  async make_extra_payment(bank, { caller, toolCallId }, args) {
    const input = { ...extraPaymentOf(args), extraPaymentId: idOf('xpm', toolCallId) }
    const options = { caller, idempotencyKey: `ai:${toolCallId}` }
    const result = await bank.queryGraph(queries.AssistExtraPaymentDocument, { input }, options)
    return result.createExtraPayment
  },
  async request_payment_holiday(bank, { caller, toolCallId }, args) {
    const input = { ...holidayOf(args), paymentHolidayId: idOf('hol', toolCallId) }
    const options = { caller, idempotencyKey: `ai:${toolCallId}` }
    const result = await bank.queryGraph(queries.AssistHolidayDocument, { input }, options)
    return result.createPaymentHoliday
  },
}

function extraPaymentOf({ facilityId, amount, strategy, sourceArrangementId }: Args) {
  return {
    facilityId: facilityId!,
    amount: amount!,
    ...(strategy && { strategy: strategy as 'REDUCE_TERM' }),
    ...(sourceArrangementId && { sourceArrangementId }),
  }
}

function holidayOf({ facilityId, startDate, installments }: Args) {
  return {
    facilityId: facilityId!,
    startDate: startDate!,
    ...(installments && { installments: Number(installments) }),
  }
}
