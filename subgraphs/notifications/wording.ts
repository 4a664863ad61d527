import { Liquid, type Template as Parsed } from 'liquidjs'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Channel } from './domain/channel.ts'
import { impliedNames, type Scalar } from './domain/personalization.ts'
import type { Content } from './domain/template.ts'

/** Tags that read files, and filters that are random or undo escaping. */
const refusedTags = ['include', 'render', 'layout', 'block']
const refusedFilters = ['sample', 'raw']

const plain = engine(undefined)
const html = engine('escape')

/**
 * A restricted Liquid engine: own properties only, no files, no unknown filters. Parsing, rendering
 * and memory are limited, so that no template can block the process.
 */
function engine(outputEscape: 'escape' | undefined): Liquid {
  const liquid = new Liquid({
    strictFilters: true,
    strictVariables: false,
    ownPropertyOnly: true,
    templates: {},
    parseLimit: 50_000,
    renderLimit: 500,
    memoryLimit: 1_000_000,
    ...(outputEscape && { outputEscape }),
  })
  for (const tag of refusedTags) delete liquid.tags[tag]
  for (const filter of refusedFilters) delete liquid.filters[filter]
  return liquid
}

/**
 * Checks that content can be rendered. Throws TEMPLATE_INVALID for invalid Liquid, and
 * UNDECLARED_VARIABLE for variables that are used but not declared.
 */
export function requireWording(content: Content): void {
  const known = new Set([...content.variables.map(({ name }) => name), ...impliedNames])
  for (const [member, text] of Object.entries({ subject: content.subject, body: content.body })) {
    if (text === null) continue
    const undeclared = variablesOf(member, text).filter((name) => !known.has(name))
    if (undeclared.length === 0) continue
    throw new Problem('UNDECLARED_VARIABLE', {
      detail: `The ${member} uses variables that are not declared: ${undeclared.join(', ')}.`,
      errors: undeclared.map((name) => ({
        pointer: `/${member}`,
        code: 'UNDECLARED_VARIABLE',
        detail: `Declare ${name} in variables.`,
      })),
    })
  }
}

function variablesOf(member: string, text: string): string[] {
  try {
    return plain.globalVariablesSync(plain.parse(text))
  } catch (cause) {
    const detail = (cause as Error).message.split('\n')[0]!.slice(0, 200)
    const errors = [{ pointer: `/${member}`, code: 'TEMPLATE_INVALID', detail }]
    throw new Problem('TEMPLATE_INVALID', { detail, errors }, { cause })
  }
}

/** Parsed content, ready to be rendered many times. */
export interface Wording {
  subject: Parsed[] | null
  body: Parsed[]
  isHtml: boolean
}

/** Parses content. Email bodies are HTML, so every value in them is escaped. */
export function compileWording(channel: Channel, content: Content): Wording {
  const isHtml = channel === 'email'
  return {
    subject: content.subject === null ? null : plain.parse(content.subject),
    body: (isHtml ? html : plain).parse(content.body),
    isHtml,
  }
}

/** Renders content with values. Throws a Liquid error if a limit on time or memory is exceeded. */
export function renderWording(
  { subject, body, isHtml }: Wording,
  values: Readonly<Record<string, Scalar>>,
): { subject: string | null; body: string } {
  return {
    subject: subject && oneLine(storable(plain.renderSync(subject, values))),
    body: storable((isHtml ? html : plain).renderSync(body, values)),
  }
}

/** Replaces lone surrogates and removes NUL: filters can produce both, PostgreSQL stores neither. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Reduces a subject to one line, so that a line break in a value cannot inject an email header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
