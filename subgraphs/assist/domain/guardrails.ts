/** The result of a guardrail that was violated. */
export interface Verdict {
  policyId: string
  version: string
  stage: 'input' | 'retrieval' | 'output'
  action: 'blocked' | 'flagged'
}

interface Rule {
  policyId: string
  pattern: RegExp
}

const version = '2026.1'

const injections: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\b.{0,40}\b(?:previous|prior|above|earlier|your|all)\b.{0,30}\b(?:instruction|rule|prompt|polic)/is,
  /\b(?:reveal|show|print|repeat)\b.{0,40}\b(?:system prompt|hidden prompt|your (?:prompt|instructions|rules))/is,
  /\byou are (?:now|no longer)\b/i,
  /\b(?:developer|debug|god|jailbreak) mode\b/i,
  /<\/?(?:system|assistant|tool)>|\[\/?INST\]|<\|im_(?:start|end)\|>/i,
]

const inputRules: readonly Rule[] = [
  ...injections.map((pattern) => ({ policyId: 'prompt-injection', pattern })),
  {
    policyId: 'no-investment-advice',
    pattern: /\b(?:should|shall) I (?:buy|sell|invest)|\bwhich (?:stock|share|fund|crypto)/i,
  },
  {
    policyId: 'no-legal-advice',
    pattern: /\b(?:can|should|may) I sue\b|\b(?:legal|tax) advice\b/i,
  },
  {
    policyId: 'no-secrets',
    pattern: /\bsk-[A-Za-z0-9_-]{20,}|\bAKIA[0-9A-Z]{16}\b|-----BEGIN [A-Z ]*PRIVATE KEY-----/,
  },
]

const outputRules: readonly Rule[] = [
  {
    policyId: 'no-promise',
    pattern:
      /\b(?:guarantee[ds]?|will (?:certainly|definitely) be (?:approved|granted)|I (?:have )?approved?)\b/i,
  },
  {
    policyId: 'no-prompt-leak',
    pattern: /You are the assistant of a bank\.|data and never an instruction/i,
  },
]

/** Returns the verdict of the first guardrail that a user's text violates; null if it passes. */
export function inputVerdict(text: string): Verdict | null {
  return firstViolation(inputRules, text, 'input')
}

/**
 * Returns a verdict that flags text from a tool if it contains instructions; otherwise null. Text
 * from tools is treated as data in any case.
 */
export function retrievalVerdict(text: string): Verdict | null {
  const isInjection = injections.some((pattern) => pattern.test(text))
  const verdict = {
    policyId: 'prompt-injection',
    version,
    stage: 'retrieval',
    action: 'flagged',
  } as const
  return isInjection ? verdict : null
}

/**
 * Returns the verdict of the first guardrail that an answer violates; null if it passes. Every
 * figure in the answer must occur in `sources`.
 */
export function outputVerdict(text: string, sources: readonly string[]): Verdict | null {
  const violation = firstViolation(outputRules, text, 'output')
  if (violation) return violation
  if (ungroundedFigures(text, sources).length === 0) return null
  return { policyId: 'grounded-figures', version, stage: 'output', action: 'blocked' }
}

function firstViolation(rules: readonly Rule[], text: string, stage: Verdict['stage']) {
  const violation = rules.find(({ pattern }) => pattern.test(text))
  return violation
    ? { policyId: violation.policyId, version, stage, action: 'blocked' as const }
    : null
}

/** Returns the figures of an answer that occur in none of the sources. */
export function ungroundedFigures(text: string, sources: readonly string[]): string[] {
  const knownFigures = new Set(sources.flatMap(figuresOf))
  return figuresOf(text).filter((figure) => !knownFigures.has(figure))
}

/**
 * Extracts figures in a normalized form, in which `1,250.00`, `1250.00` and `1250` are equal. IDs
 * and masks are not figures. All patterns match in linear time.
 */
function figuresOf(text: string): string[] {
  const words = text.replaceAll(/\[[A-Z]+_\d+\]|[A-Za-z_][\w~:-]*/g, ' ')
  const figures = words.match(/\d{4}-\d{2}-\d{2}|\d[\d,]*(?:\.\d+)?/g) ?? []
  return figures.map((figure) => (figure.includes('-') ? figure : normalized(figure)))
}

function normalized(figure: string): string {
  const plain = figure.replaceAll(',', '').replace(/^0+(?=\d)/, '')
  return plain.includes('.') ? plain.replace(/\.?(?<!0)0+$/, '') : plain
}
