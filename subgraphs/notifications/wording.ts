import { Liquid, type Template as Parsed } from 'liquidjs'
import { Problem } from '../_kernel/domain/problem.ts'
import type { Channel } from './domain/channel.ts'
import { impliedNames, type Scalar } from './domain/personalization.ts'
import type { Content } from './domain/template.ts'

/** Tags that read files, and filters that answer differently each time or undo the escaping. */
const refusedTags = ['include', 'render', 'layout', 'block']
const refusedFilters = ['sample', 'raw']

const plain = engine(undefined)
const html = engine('escape')

/**
 * Own properties only, no files, unknown filters refused; parsing, rendering and memory are
 * bounded, so that a text which was approved by mistake cannot hold the process.
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
 * Promises a content that can be rendered.
 * Refuses with TEMPLATE_INVALID what is no Liquid, and UNDECLARED_VARIABLE, naming each one, what
 * takes a value that nobody will send.
 */
export function requireWording(content: Content): void {
  const known = new Set([...content.variables.map(({ name }) => name), ...impliedNames])
  for (const [member, text] of Object.entries({ subject: content.subject, body: content.body })) {
    if (text === null) continue
    const undeclared = variablesOf(member, text).filter((name) => !known.has(name))
    if (undeclared.length === 0) continue
    throw new Problem('UNDECLARED_VARIABLE', {
      detail: `The ${member} uses ${undeclared.join(', ')}.`,
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

/** A content ready to be rendered many times. */
export interface Wording {
  subject: Parsed[] | null
  body: Parsed[]
  isHtml: boolean
}

/** Parses once what is rendered often. E-mail bodies are HTML: every value in them is escaped. */
export function compileWording(channel: Channel, content: Content): Wording {
  const isHtml = channel === 'email'
  return {
    subject: content.subject === null ? null : plain.parse(content.subject),
    body: (isHtml ? html : plain).parse(content.body),
    isHtml,
  }
}

/** Renders the values. Throws what Liquid throws when a text needs too much time or memory. */
export function renderWording(
  { subject, body, isHtml }: Wording,
  values: Readonly<Record<string, Scalar>>,
): { subject: string | null; body: string } {
  return {
    subject: subject && oneLine(storable(plain.renderSync(subject, values))),
    body: storable((isHtml ? html : plain).renderSync(body, values)),
  }
}

/** Filters may cut a character in two, or write NUL: PostgreSQL keeps neither. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** A subject is one line: what a value smuggles in behind a line break never becomes a header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
