import { parseAmount } from '../../../kernel/domain/money.ts'
import type {
  CollectionsStrategyStep,
  CollectionsStrategyStepInput,
  ProposeCollectionsStrategyInput,
} from '../model/strategy.ts'
import { Problem } from './problems.ts'

const maxSteps = 20
const maxDays = 3650

type Proposal = Omit<
  ProposeCollectionsStrategyInput,
  'collectionsStrategyId' | 'reason' | 'effectiveFrom'
>

/** Returns the stored part of a proposed strategy. Throws COLLECTIONS_STRATEGY_INVALID. */
export function requireStrategy({
  minimumAmounts,
  daysBetweenLetters,
  steps,
  ...proposal
}: Proposal) {
  const { productId = null, segment = null } = proposal
  if (productId !== null && segment !== null) {
    throw invalidStrategy('/segment', 'A strategy is for a product or for a segment, not for both.')
  }
  if (daysBetweenLetters < 1 || daysBetweenLetters > 365) {
    throw invalidStrategy('/daysBetweenLetters', 'The number of days must be from 1 to 365.')
  }
  return {
    productId,
    segment,
    minimumAmounts: requireMinimums(minimumAmounts ?? []),
    daysBetweenLetters,
    steps: requireSteps(steps),
  }
}

function requireMinimums(minimums: readonly { amount: string; currency: string }[]) {
  const currencies = minimums.map(({ currency }) => currency)
  minimums.forEach(({ amount, currency }, index) => {
    const pointer = `/minimumAmounts/${index}`
    if (parseAmount(amount, currency, `${pointer}/amount`) <= 0n) {
      throw invalidStrategy(`${pointer}/amount`, 'The amount must be greater than zero.')
    }
    if (currencies.indexOf(currency) < index) {
      throw invalidStrategy(`${pointer}/currency`, `${currency} has two minimum amounts.`)
    }
  })
  return minimums.map(({ amount, currency }) => ({ amount, currency }))
}

function requireSteps(sent: readonly CollectionsStrategyStepInput[]): CollectionsStrategyStep[] {
  const steps = sent.map(stepFrom)
  if (steps.length > maxSteps) {
    throw invalidStrategy('/steps', `A strategy can have at most ${maxSteps} steps.`)
  }
  steps.forEach((step, index) => {
    const problem = problemOf(step, steps.slice(0, index))
    if (problem) throw invalidStrategy(`/steps/${index}/${problem[0]}`, problem[1])
  })
  return steps
}

function stepFrom(step: CollectionsStrategyStepInput): CollectionsStrategyStep {
  return {
    code: step.code,
    fromDaysPastDue: step.fromDaysPastDue,
    action: step.action,
    templateCode: step.templateCode ?? null,
    channel: step.channel ?? null,
    priority: step.priority ?? null,
    routingProfileId: step.routingProfileId ?? null,
  }
}

/** Returns the member of a step that is wrong, and why; null if the step is valid. */
function problemOf(
  step: CollectionsStrategyStep,
  earlier: readonly CollectionsStrategyStep[],
): readonly [member: string, detail: string] | null {
  const { code, action, fromDaysPastDue } = step
  if (earlier.some((each) => each.code === code)) return ['code', `There are two steps ${code}.`]
  if (fromDaysPastDue < 1 || fromDaysPastDue > maxDays) {
    return ['fromDaysPastDue', `The number of days must be from 1 to ${maxDays}.`]
  }
  if (fromDaysPastDue < (earlier.at(-1)?.fromDaysPastDue ?? 0)) {
    return ['fromDaysPastDue', 'The steps must be in the order of their days.']
  }
  if (action === 'send-letter') return letterProblemOf(step)
  if (step.templateCode !== null) return ['templateCode', 'Only letters have a template.']
  if (step.channel !== null) return ['channel', 'Only letters have a channel.']
  const hasCase = earlier.some((each) => each.action === 'open-case')
  if (action === 'open-case') {
    return hasCase ? ['action', 'A strategy opens at most one case.'] : null
  }
  if (!hasCase) return ['action', 'A step that opens a case must come before.']
  if (step.priority !== null) return ['priority', 'Only a step that opens a case has a priority.']
  if (step.routingProfileId === null) {
    return ['routingProfileId', 'A case is escalated to a routing profile.']
  }
  return null
}

function letterProblemOf(step: CollectionsStrategyStep) {
  if (step.templateCode === null) return ['templateCode', 'A letter needs a template.'] as const
  if (step.channel === null) return ['channel', 'A letter needs a channel.'] as const
  if (step.priority !== null) return ['priority', 'A letter has no priority.'] as const
  if (step.routingProfileId !== null) {
    return ['routingProfileId', 'A letter has no routing profile.'] as const
  }
  return null
}

function invalidStrategy(pointer: string, detail: string): Problem {
  const code = 'COLLECTIONS_STRATEGY_INVALID'
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
