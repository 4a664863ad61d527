import { command } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { doEach, type Worker } from '../_kernel/worker.ts'
import { inReview, type LoanApplication } from './domain/application.ts'
import { decide } from './domain/decision.ts'
import { type DecisionAsked, type DecisionOutcome } from './domain/decision-asked.ts'
import { judge, policyVersion, type Recommendation } from './domain/policy.ts'
import { committed } from './change.ts'
import { eventsOf, idsFor, pricedTerms, type Priced } from './decision-commands.ts'
import { applicationTable, findUnjudged } from './store/application.ts'
import { insertDecision } from './store/decision.ts'

const batchSize = 20

/** The decider of automated decisions. */
const decider = 'credit-policy'

/**
 * Evaluates the credit policy for submitted applications. In automated mode the policy decides, or
 * refers the application to a person; in hybrid mode it recommends, and a person decides.
 */
export const judgeApplications: Worker = {
  name: 'origination.judge-applications',
  purpose: 'Evaluates the credit policy for submitted applications.',
  everyMs: 5000,
  wakeOn: ['lending.credit-application.submitted'],
  async run(context) {
    const submitted = await findUnjudged(context, batchSize)
    return doEach(context, submitted, ({ applicationId }) => judgeOne(context, applicationId))
  },
}

function judgeOne(context: Context, applicationId: string): Promise<number> {
  return command(context, 'origination.judge', { applicationId }, async () => {
    const before = await applicationTable.find(context, applicationId)
    const isWaiting = before?.status === 'submitted' && before.informationRequested === null
    if (!before || !isWaiting || before.decisionMode === 'manual') return { result: 0 }
    const now = context.now()
    const priced = await pricedOrNull(context, before, now)
    const recommendation = priced && judge(before, priced.terms)
    if (before.decisionMode === 'automated') {
      return decided(context, before, recommendation, priced, now)
    }
    const application = inReview({ ...before, recommendation }, context.newId('case'))
    const events = [
      ...(recommendation ? (['lending.credit-application.recommended'] as const) : []),
      'lending.credit-application.in-review' as const,
    ]
    return committed(before, { application, events, result: () => 1 }, now)
  })
}

/** Null when the requested terms are no longer offered: a person has to decide on others. */
async function pricedOrNull(context: Context, application: LoanApplication, now: Date) {
  try {
    return await pricedTerms(context, application, null, now)
  } catch (error) {
    if (error instanceof Problem) return null
    throw error
  }
}

const outcomes: Record<Recommendation['outcome'], DecisionOutcome> = {
  approve: 'approved',
  decline: 'declined',
  refer: 'referred',
}

function decided(
  context: Context,
  before: LoanApplication,
  recommendation: Recommendation | null,
  priced: Priced | null,
  now: Date,
) {
  const outcome = outcomes[recommendation?.outcome ?? 'refer']
  const asked: DecisionAsked = {
    outcome,
    decisionMode: 'automated',
    decidedBy: decider,
    decidedAt: null,
    reasons: recommendation?.reasons ?? [],
    conditions: [],
    score: recommendation?.score ?? null,
    policyVersion,
    expiresAt: null,
    overrideOf: null,
    comment: null,
  }
  const isApproved = outcome === 'approved' && priced !== null
  const { application, decision } = decide({ ...before, recommendation }, asked, {
    ...(isApproved ? priced : { terms: null, termsHash: null, quoteExpiresAt: null }),
    authorityMinor: null,
    isOwnPolicy: true,
    recordedBy: context.caller.subject,
    ids: idsFor(context),
    now,
  })
  const events = eventsOf(before, application, decision)
  const writes = insertDecision(decision)
  return committed(before, { application, events, writes, result: () => 1 }, now)
}
