import { bankCaller } from '../_kernel/auth.ts'
import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import { TellApplicantDocument } from './asks.generated.ts'
import { committed } from './change.ts'
import type { CreditDecision } from './domain/decision.ts'
import { letterOf, noticeRefused, noticeSent, type DecisionNotice } from './domain/notice.ts'
import { isFinal } from './refused.ts'
import { applicationTable } from './store/application.ts'
import { findDecision } from './store/decision.ts'
import { findDueNotices, findNotice, updateNotice } from './store/notice.ts'

const batchSize = 20

/**
 * Sends adverse action notices to the secure inboxes of applicants. Each notice has an idempotency
 * key, so a retry after a crash does not send it twice.
 */
export const tellApplicants: Worker = {
  name: 'origination.tell-applicants',
  purpose: 'Sends adverse action notices to applicants.',
  everyMs: 10_000,
  wakeOn: ['lending.credit-application.decision-recorded'],
  async run(context) {
    const due = await findDueNotices(context, context.now(), batchSize)
    return doEach(context, due, async ({ decisionId }) =>
      tell(context, (await findDecision(context, decisionId))!),
    )
  },
}

async function tell(context: Context, decision: CreditDecision): Promise<number> {
  const { decisionId, partyId, applicationId } = decision
  const application = (await applicationTable.find(context, applicationId))!
  const by = { caller: bankCaller, idempotencyKey: `notice:${decisionId}` }
  try {
    const letter = { partyId, ...letterOf(decision, application) }
    const { createNotification } = await context.bank.ask(TellApplicantDocument, letter, by)
    const { notificationId } = createNotification
    return await change(context, decision, (notice, now) => noticeSent(notice, notificationId, now))
  } catch (error) {
    if (!isFinal(error)) throw error
    context.bank.log.warn({ decisionId, code: error.code }, 'an applicant was not written to')
    return change(context, decision, (notice, now) => noticeRefused(notice, error.code, now))
  }
}

/** No change when a concurrent worker has finished it. */
function change(
  context: Context,
  { decisionId, applicationId }: CreditDecision,
  decide: (before: DecisionNotice, now: Date) => DecisionNotice,
): Promise<number> {
  return command(context, 'origination.tell-applicant', { decisionId }, async () => {
    const before = (await findNotice(context, decisionId))!
    if (before.toldAt !== null) return { result: 0 }
    const application = (await applicationTable.find(context, applicationId))!
    const now = context.now()
    const notice = decide(before, now)
    const isNews = notice.toldAt !== null || notice.refusal !== before.refusal
    const fact = notice.toldAt === null ? 'notice-refused' : 'applicant-told'
    const events = isNews ? ([`lending.credit-application.${fact}`] as const) : []
    const writes = [updateNotice(notice)]
    return committed(application, { application, events, writes, result: () => 1 }, now)
  })
}
