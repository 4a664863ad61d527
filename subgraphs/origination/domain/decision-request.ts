import type { ConditionRequest } from '../model/decision-inputs.ts'
import type { Score } from '../model/credit-policy.ts'
import type { Condition } from '../model/loan-terms.ts'
import { DecisionOutcome, type DecisionMode } from '../model/enumerations.ts'
import { Problem } from './problems.ts'
import { validationProblem, fieldProblem } from './refusals.ts'

/** A decision to record. */
export interface DecisionRequest {
  outcome: DecisionOutcome
  decisionMode: DecisionMode
  decidedBy: string
  decidedAt: Date | null
  reasons: readonly { code: string; text?: string | null }[]
  conditions: readonly ConditionRequest[]
  score: Score | null
  policyVersion: string | null
  expiresAt: Date | null
  overrideOf: string | null
  comment: string | null
}

const aliases: Record<string, DecisionOutcome> = {
  approve: 'approved',
  decline: 'declined',
  refer: 'referred',
  referral: 'referred',
  'counter-offered': 'counter-offer',
}
const maxConditions = 20

/**
 * Parses an outcome in any letter case, including aliases such as `approve`. Throws
 * OUTCOME_REQUIRED, INVALID_OUTCOME.
 */
export function readOutcome(text: string | null | undefined): DecisionOutcome {
  const allowed = DecisionOutcome.values
  if (!text)
    throw fieldProblem('OUTCOME_REQUIRED', '/outcome', `Give one of ${allowed.join(', ')}.`)
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

/** Matches the names of AI assistants and models, and the IDs of their sessions. */
const aiActor = /^((ai|assist|assistant|model|llm|bot)([:/_.~-].*)?|ses_.*)$/i

/** Checks that no actor has the name of an AI assistant. Throws AI_CANNOT_DECIDE. */
export function requireHuman(actors: readonly string[]): void {
  const assistant = actors.find((actor) => aiActor.test(actor))
  if (assistant === undefined) return
  // Regulation (EU) 2024/1689, annex III 5(b); Directive (EU) 2023/2225, article 18(8).
  throw new Problem('AI_CANNOT_DECIDE', {
    detail: `${assistant} is an AI assistant. A person must decide.`,
  })
}

/**
 * Returns the conditions of an approval or counter-offer, all of them open. Throws
 * VALIDATION_FAILED.
 */
export function readConditions({ outcome, conditions }: DecisionRequest): Condition[] {
  if (conditions.length === 0) return []
  if (outcome !== 'approved' && outcome !== 'counter-offer') {
    throw validationProblem(
      '/conditions',
      'Conditions can be set only with an approval or a counter-offer.',
    )
  }
  if (conditions.length > maxConditions) {
    throw validationProblem(
      '/conditions',
      `A decision can have at most ${maxConditions} conditions.`,
    )
  }
  const codes = conditions.map(({ code }) => code)
  return conditions.map(({ code, description, dueBy }, index) => {
    if (codes.indexOf(code) < index) {
      throw validationProblem(
        `/conditions/${index}/code`,
        'The code of a condition must be unique within the decision.',
      )
    }
    const openState = { status: 'open', by: null, at: null, note: null } as const
    return { code, description: description ?? null, dueBy: dueBy ?? null, ...openState }
  })
}
