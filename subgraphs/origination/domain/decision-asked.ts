import type { LocalDate } from '../../_kernel/domain/dates.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import type { Condition, DecisionMode } from './application.ts'
import type { Score } from './policy.ts'
import { invalid, refuse } from './refusals.ts'

export const decisionOutcomes = ['approved', 'declined', 'referred', 'counter-offer'] as const
export type DecisionOutcome = (typeof decisionOutcomes)[number]

/** A decision to record. */
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

/** A condition to record. */
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

/** Parses an outcome, in any letter case. Rejects with OUTCOME_REQUIRED, INVALID_OUTCOME. */
export function readOutcome(text: string | null | undefined): DecisionOutcome {
  const allowed = decisionOutcomes
  if (!text) throw refuse('OUTCOME_REQUIRED', '/outcome', `Give one of ${allowed.join(', ')}.`)
  const name = text
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')
  const outcome = allowed.find((each) => each === name)
  if (outcome) return outcome
  if (Object.hasOwn(aliases, name)) return aliases[name]!
  const code = 'INVALID_OUTCOME'
  const detail = `${text} is not an outcome. Give one of ${allowed.join(', ')}.`
  throw new Problem(code, { detail, errors: [{ pointer: '/outcome', code, detail, allowed }] })
}

/** Names of AI assistants, models and their sessions. */
const machineMinds = /^((ai|assist|assistant|model|llm|bot)([:/_.~-].*)?|ses_.*)$/i

/** Checks that the decision was not made by an AI assistant. Rejects with AI_CANNOT_DECIDE. */
export function requireHuman(actors: readonly string[]): void {
  const machine = actors.find((actor) => machineMinds.test(actor))
  if (machine === undefined) return
  // Regulation (EU) 2024/1689, annex III 5(b); Directive (EU) 2023/2225, article 18(8).
  throw new Problem('AI_CANNOT_DECIDE', {
    detail: `${machine} is an AI assistant. A person must decide.`,
  })
}

/** The conditions of an approval, all open at first. Rejects with VALIDATION_FAILED. */
export function readConditions({ outcome, conditions }: DecisionAsked): Condition[] {
  if (conditions.length === 0) return []
  if (outcome !== 'approved' && outcome !== 'counter-offer') {
    throw invalid('/conditions', 'Conditions can be set only with an approval or a counter-offer.')
  }
  if (conditions.length > mostConditions) {
    throw invalid('/conditions', `A decision can have at most ${mostConditions} conditions.`)
  }
  const codes = conditions.map(({ code }) => code)
  return conditions.map(({ code, description, dueBy }, at) => {
    if (codes.indexOf(code) < at) {
      throw invalid(
        `/conditions/${at}/code`,
        'The code of a condition must be unique within the decision.',
      )
    }
    const waiting = { status: 'open', by: null, at: null, note: null } as const
    return { code, description: description ?? null, dueBy: dueBy ?? null, ...waiting }
  })
}
