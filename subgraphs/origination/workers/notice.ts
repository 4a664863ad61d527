import type { CreditDecision, DecisionNotice } from '../model/decision.ts'
import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { dueFallbackMs, processEach, type Worker } from '../../../kernel/work/worker.ts'
import { TellApplicantDocument } from '../queries.generated.ts'
import { changeDecision } from '../commands/change.ts'
import { noticeContentOf, noticeWithError, sentNotice } from '../domain/notice.ts'
import { isFinal } from '../../../kernel/domain/problem.ts'
import { applicationTable } from '../store/application.ts'
import { findDecision } from '../store/decision.ts'
import { areNoticesDueSql, findDueNotices, findNotice, updateNotice } from '../store/notice.ts'

const batchSize = 20

/**
 * Sends adverse action notices to the secure inboxes of applicants. The idempotency key is derived
 * from the decision, so that a retry after a crash does not send a notice twice.
 */
export const notifyApplicants: Worker = {
  name: 'origination.notify-applicants',
  purpose: 'Sends adverse action notices to applicants.',
  everyMs: dueFallbackMs,
  isDueSql: areNoticesDueSql,
  wakeOn: ['lending.credit-application.decision-recorded'],
  async run(context) {
    const dueNotices = await findDueNotices(context, context.now(), batchSize)
    return processEach(context, dueNotices, async ({ decisionId }) =>
      sendNotice(context, (await findDecision(context, decisionId))!),
    )
  },
}

async function sendNotice(context: Context, decision: CreditDecision): Promise<number> {
  const { decisionId, partyId, applicationId } = decision
  const application = (await applicationTable.find(context, applicationId))!
  const options = { caller: bankCaller, idempotencyKey: `notice:${decisionId}` }
  try {
    const content = { partyId, ...noticeContentOf(decision, application) }
    const { createNotification } = await context.bank.queryGraph(
      TellApplicantDocument,
      content,
      options,
    )
    const { notificationId } = createNotification
    return await changeNotice(context, decision, (notice, now) =>
      sentNotice(notice, notificationId, now),
    )
  } catch (error) {
    if (!isFinal(error)) throw error
    context.bank.log.warn(
      { decisionId, code: error.code },
      'the adverse action notice was not sent',
    )
    return changeNotice(context, decision, (notice, now) =>
      noticeWithError(notice, error.code, now),
    )
  }
}

/** Changes the notice of a decision. Does nothing if a concurrent worker has already sent it. */
function changeNotice(
  context: Context,
  { decisionId, applicationId }: CreditDecision,
  decide: (before: DecisionNotice, now: Date) => DecisionNotice,
): Promise<number> {
  return command(context, 'origination.tell-applicant', { decisionId }, async () => {
    const before = (await findNotice(context, decisionId))!
    if (before.notifiedAt !== null) return { result: 0 }
    const application = (await applicationTable.find(context, applicationId))!
    const now = context.now()
    const notice = decide(before, now)
    const isNewStatus = notice.notifiedAt !== null || notice.refusal !== before.refusal
    const eventName = notice.notifiedAt === null ? 'notice-refused' : 'applicant-told'
    const events = isNewStatus ? ([`lending.credit-application.${eventName}`] as const) : []
    const writes = [updateNotice(notice)]
    return changeDecision(application, { application, events, writes, result: () => 1 }, now)
  })
}
