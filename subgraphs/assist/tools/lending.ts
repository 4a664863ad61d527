import { requireFound } from '../../_kernel/auth.ts'
import * as asks from '../asks.generated.ts'
import type { ToolName } from '../domain/tool.ts'
import { idOf, type Args, type Run } from './tool-run.ts'

/** The lending tools, which use the graph like all tools. */
export const lendingRuns: Partial<Record<ToolName, Run>> = {
  async get_payoff(bank, { caller }, { loanId }) {
    const { facility } = await bank.ask(asks.AssistPayoffDocument, { loanId: loanId! }, { caller })
    return { loanId, ...requireFound(facility, 'FACILITY_NOT_FOUND', loanId!) }
  },
  async get_application(bank, { caller }, { applicationId }) {
    const asked = { applicationId: applicationId! }
    const found = await bank.ask(asks.AssistApplicationDocument, asked, { caller })
    return requireFound(found.loanApplication, 'APPLICATION_NOT_FOUND', applicationId!)
  },
  async preview_extra_payment(bank, { caller }, args) {
    const input = extraPaymentOf(args)
    const found = await bank.ask(asks.AssistExtraPaymentPreviewDocument, { input }, { caller })
    return found.extraPaymentPreview!
  },
  async preview_payment_holiday(bank, { caller }, args) {
    const input = holidayOf(args)
    const found = await bank.ask(asks.AssistHolidayPreviewDocument, { input }, { caller })
    return found.paymentHolidayPreview!
  },
  async make_extra_payment(bank, { caller, toolCallId }, args) {
    const input = { ...extraPaymentOf(args), extraPaymentId: idOf('xpm', toolCallId) }
    const by = { caller, idempotencyKey: `ai:${toolCallId}` }
    const done = await bank.ask(asks.AssistExtraPaymentDocument, { input }, by)
    return done.createExtraPayment
  },
  async request_payment_holiday(bank, { caller, toolCallId }, args) {
    const input = { ...holidayOf(args), paymentHolidayId: idOf('hol', toolCallId) }
    const by = { caller, idempotencyKey: `ai:${toolCallId}` }
    const done = await bank.ask(asks.AssistHolidayDocument, { input }, by)
    return done.createPaymentHoliday
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

function holidayOf({ facilityId, startDate, instalments }: Args) {
  return {
    facilityId: facilityId!,
    startDate: startDate!,
    ...(instalments && { instalments: Number(instalments) }),
  }
}
