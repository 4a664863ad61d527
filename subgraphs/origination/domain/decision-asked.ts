import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Condition, DecisionMode } from './application.ts'
import type { Score } from './policy.ts'
import { invalid, refuse } from './refusals.ts'

export const decisionOutcomes = ['approved', 'declined', 'referred', 'counter-offer'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

/** What somebody who decides says. */
export interface DecisionAsked {
  outcome: DecisionOutcome
  decisionMode: DecisionMode
  decidedBy: string
  decidedAt: Date | null
  reasons: readonly { code: string; text?: string | null }[]
  conditions: readonly ConditionAsked[]
  score: Score | null
  policyVersion: string | null
  expiresAt: Date | null
  overrideOf: string | null
  comment: string | null
}

/** A condition as it is asked for. */
export interface ConditionAsked {
  code: string
  description?: string | null
  dueBy?: LocalDate | null
}

const aliases: Record<string, DecisionOutcome> = {
  approve: 'approved',
  decline: 'declined',
  refer: 'referred',
  referral: 'referred',
  'counter-offered': 'counter-offer',
}
const mostConditions = 20

/** The outcome a text names, in any case. Refuses with OUTCOME_REQUIRED, INVALID_OUTCOME. */
export function readOutcome(text: string | null | undefined): DecisionOutcome {
  const allowed = decisionOutcomes
  if (!text) throw refuse('OUTCOME_REQUIRED', '/outcome', `One of ${allowed.join(', ')}.`)
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  const outcome = allowed.find((each) => each === name)
  if (outcome) return outcome
  if (Object.hasOwn(aliases, name)) return aliases[name]!
  const code = 'INVALID_OUTCOME'
  const detail = `One of ${allowed.join(', ')}.`
  throw new Problem(code, { detail, errors: [{ pointer: '/outcome', code, detail, allowed }] })
}

/** Those that are no person: an assistant, a model, or one of their sessions. */
const machineMinds = /^((ai|assist|assistant|model|llm|bot)([:/_.~-].*)?|ses_.*)$/i

/** Promises that no machine decides over a person's credit by itself. Refuses with AI_CANNOT_DECIDE. */
export function requireHuman(actors: readonly string[]): void {
  const machine = actors.find((actor) => machineMinds.test(actor))
  if (machine === undefined) return
  // Regulation (EU) 2024/1689, annex III 5(b); Directive (EU) 2023/2225, article 18(8).
  throw new Problem('AI_CANNOT_DECIDE', { detail: `${machine} is an assistant.` })
}

/** The conditions of an approval, all open. Refuses with VALIDATION_FAILED. */
export function readConditions({ outcome, conditions }: DecisionAsked): Condition[] {
  if (conditions.length === 0) return []
  if (outcome !== 'approved' && outcome !== 'counter-offer') {
    throw invalid('/conditions', 'Conditions go with an approval or a counter-offer.')
  }
  if (conditions.length > mostConditions) {
    throw invalid('/conditions', `At most ${mostConditions}.`)
  }
  const codes = conditions.map(({ code }) => code)
  return conditions.map(({ code, description, dueBy }, at) => {
    if (codes.indexOf(code) < at) {
      throw invalid(`/conditions/${at}/code`, 'Each condition has a code of its own.')
    }
    const waiting = { status: 'open', by: null, at: null, note: null } as const
    return { code, description: description ?? null, dueBy: dueBy ?? null, ...waiting }
  })
}
