import { applicationStates, type LoanApplication } from '../model/application.ts'
import type { Recommendation } from '../model/credit-policy.ts'
import type { DecisionOutcome } from '../model/enumerations.ts'
import { command } from '../../../kernel/writing/command.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { processEach, type Worker } from '../../../kernel/work/worker.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { withCaseId } from '../domain/application.ts'
import { decide } from '../domain/decision.ts'
import { type DecisionRequest } from '../domain/decision-request.ts'
import { decideByPolicy, policyVersion } from '../domain/policy.ts'
import { changeDecision } from '../commands/change.ts'
import {
  eventsOfDecision,
  newDecisionIds,
  pricedTerms,
  type PricedTerms,
} from '../commands/decision.ts'
import { applicationTable, findUndecidedApplications } from '../store/application.ts'
import { insertDecision } from '../store/decision.ts'

const batchSize = 20

/** The decider that is recorded for decisions of the credit policy. */
const policyDecider = 'credit-policy'

/**
 * Evaluates the credit policy for submitted applications. In automated mode the policy decides, or
 * refers the application to a person; in hybrid mode it recommends, and a person decides.
 */
export const decideApplications: Worker = {
  name: 'origination.decide-applications',
  purpose: 'Evaluates the credit policy for submitted applications.',
  everyMs: 60_000,
  wakeOn: ['lending.credit-application.submitted'],
  async run(context) {
    const applications = await findUndecidedApplications(context, batchSize)
    return processEach(context, applications, ({ applicationId }) =>
      decideOneByPolicy(context, applicationId),
    )
  },
}

function decideOneByPolicy(context: Context, applicationId: string): Promise<number> {
  return command(context, 'origination.judge', { applicationId }, async () => {
    const before = await applicationTable.find(context, applicationId)
    const isWaiting = before?.status === 'submitted' && before.informationRequested === null
    if (!before || !isWaiting || before.decisionMode === 'manual') return { result: 0 }
    const now = context.now()
    const priced = await pricedOrNull(context, before, now)
    const recommendation = priced && decideByPolicy(before, priced.terms)
    if (before.decisionMode === 'automated') {
      return policyDecision(context, before, recommendation, priced, now)
    }
    const inReview = applyTransition(
      applicationStates,
      'startCreditReview',
      { ...before, recommendation },
      { now, subject: context.caller.subject },
    )
    const application = withCaseId(inReview, context.newId('case'))
    const events = [
      ...(recommendation ? (['lending.credit-application.recommended'] as const) : []),
      'lending.credit-application.in-review' as const,
    ]
    return changeDecision(before, { application, events, result: () => 1 }, now)
  })
}

/**
 * Returns the requested terms with their price; null if they are no longer offered, for example
 * because the quote has expired. A person then has to decide on other terms.
 */
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

function policyDecision(
  context: Context,
  before: LoanApplication,
  recommendation: Recommendation | null,
  priced: PricedTerms | null,
  now: Date,
) {
  const outcome = outcomes[recommendation?.outcome ?? 'refer']
  const request: DecisionRequest = {
    outcome,
    decisionMode: 'automated',
    decidedBy: policyDecider,
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
  const { application, decision } = decide({ ...before, recommendation }, request, {
    ...(isApproved ? priced : { terms: null, termsHash: null, quoteExpiresAt: null }),
    authorityMinor: null,
    isOwnPolicy: true,
    recordedBy: context.caller.subject,
    ids: newDecisionIds(context),
    now,
  })
  const events = eventsOfDecision(before, application, decision)
  const writes = insertDecision(decision)
  return changeDecision(before, { application, events, writes, result: () => 1 }, now)
}
