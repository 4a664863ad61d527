import { Liquid, type Template as Parsed } from 'liquidjs'
import { Problem } from '../domain/problems.ts'
import type { Channel } from '../model/channel.ts'
import { impliedNames, type Scalar } from '../domain/personalization.ts'
import type { Content } from '../domain/template.ts'

/**
 * The Liquid tags and filters that are removed: tags that read files, and filters that are random
 * or undo escaping.
 */
const removedTags = ['include', 'render', 'layout', 'block']
const removedFilters = ['sample', 'raw']

const plainEngine = createEngine(undefined)
const htmlEngine = createEngine('escape')

/**
 * Returns a restricted Liquid engine: it reads only own properties, reads no files and rejects
 * unknown filters. Parsing, rendering and memory are limited, so that no template can block the
 * process.
 */
function createEngine(outputEscape: 'escape' | undefined): Liquid {
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
  for (const tag of removedTags) delete liquid.tags[tag]
  for (const filter of removedFilters) delete liquid.filters[filter]
  return liquid
}

/**
 * Checks that a template's content can be rendered. Throws TEMPLATE_INVALID for invalid Liquid, and
 * UNDECLARED_VARIABLE for variables that are used but not declared.
 */
export function requireWording(content: Content): void {
  const allowedNames = new Set([...content.variables.map(({ name }) => name), ...impliedNames])
  for (const [member, text] of Object.entries({ subject: content.subject, body: content.body })) {
    if (text === null) continue
    const undeclared = variablesOf(member, text).filter((name) => !allowedNames.has(name))
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
    return plainEngine.globalVariablesSync(plainEngine.parse(text))
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
    subject: content.subject === null ? null : plainEngine.parse(content.subject),
    body: (isHtml ? htmlEngine : plainEngine).parse(content.body),
    isHtml,
  }
}

/**
 * Renders content with values. Throws a Liquid error if the limit on time or memory is exceeded.
 */
export function renderWording(
  { subject, body, isHtml }: Wording,
  values: Readonly<Record<string, Scalar>>,
): { subject: string | null; body: string } {
  return {
    subject: subject && oneLine(storable(plainEngine.renderSync(subject, values))),
    body: storable((isHtml ? htmlEngine : plainEngine).renderSync(body, values)),
  }
}

/**
 * Makes a text storable in PostgreSQL, which accepts neither NUL nor lone surrogates. Liquid
 * filters can produce both.
 */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

/** Reduces a subject to one line, so that a line break in a value cannot inject an email header. */
export function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
}
