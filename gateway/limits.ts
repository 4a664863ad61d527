import {
  GraphQLError,
  Kind,
  parse,
  validate,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLSchema,
  type NameNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import { Problem } from '../subgraphs/_kernel/domain/problem.ts'
import { refuseUnstorable } from '../subgraphs/_kernel/domain/unstorable.ts'
import { variableFaults } from './input-faults.ts'
import { describeFault, documentRules, faultOf } from './literals-rule.ts'
import { MixedValues } from './mixed-values.ts'
import { prepare, type Operation } from './operation.ts'
import { maxRepeats, repeatedField } from './repeated-fields.ts'

/** How large a document may be, the same over HTTP, WebSocket and SSE. */
export const limits = {
  characters: 20_000,
  tokens: 2000,
  depth: 14,
  selections: 2000,
  aliases: 30,
  rootFields: 20,
  mutationFields: 1,
  directives: 50,
  operations: 10,
  variablesBytes: 65_536,
} as const

const mostRemembered = 1000

/**
 * Reads and validates documents against one schema. A document is parsed once and remembered; its
 * size is judged before GraphQL's own rules see it, in time linear to its text.
 */
export class DocumentReader {
  readonly #schema: GraphQLSchema
  readonly #remembered = new Map<string, Operation>()
  readonly #mixedValues: MixedValues

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
    this.#mixedValues = new MixedValues(schema)
  }

  /**
   * The document as a validated operation.
   * Rejects with GRAPHQL_PARSE_FAILED, QUERY_TOO_COMPLEX, GRAPHQL_VALIDATION_FAILED.
   */
  read(text: string, name?: string | null): Operation {
    return this.validate(this.parse(text, name), text, name)
  }

  /**
   * The document, parsed and within the limits, and not validated yet: enough to know whether it needs
   * a token, in a time that grows with its length alone. Validation can take many times longer.
   * Rejects with GRAPHQL_PARSE_FAILED, QUERY_TOO_COMPLEX, GRAPHQL_VALIDATION_FAILED.
   */
  parse(text: string, name?: string | null): DocumentNode {
    const known = this.#remembered.get(keyOf(text, name))
    if (known) return known.document
    const document = parseWithin(text)
    requireSmall(document)
    requireOne(document, name)
    return document
  }

  /** A parsed document as a validated operation. Rejects with GRAPHQL_VALIDATION_FAILED. */
  validate(document: DocumentNode, text: string, name?: string | null): Operation {
    const key = keyOf(text, name)
    const known = this.#remembered.get(key)
    if (known) return known
    const faults = validate(this.#schema, document, documentRules, { maxErrors: 5 })
    if (faults.length > 0) throw refusal(codeOf(faults), faults)
    const operation = prepare(document, text, name ?? undefined)
    if (this.#remembered.size >= mostRemembered) {
      this.#remembered.delete(this.#remembered.keys().next().value!)
    }
    this.#remembered.set(key, operation)
    return operation
  }

  /**
   * Checks the variables of an operation against their types and limits. Throws VALIDATION_FAILED, or
   * UNKNOWN_PROPERTY if that is all there is, with every fault and its JSON pointer into the variables.
   */
  checkVariables(
    operation: Operation,
    variables: Record<string, unknown> | null | undefined,
  ): void {
    requireStorable(variables)
    const sent = variables ?? {}
    const typed = variableFaults(this.#schema, operation, sent)
    const errors = typed.length > 0 ? typed : this.#mixedValues.faults(operation, sent)
    if (errors.length === 0) return
    const isUnknown = errors.every(({ code }) => code === 'UNKNOWN_PROPERTY')
    const code = isUnknown ? 'UNKNOWN_PROPERTY' : 'VALIDATION_FAILED'
    throw new Problem(code, { detail: describeFault(errors[0]!), errors })
  }
}

/** A document whose literals alone are wrong fits the schema: its values are the client's input. */
function codeOf(
  faults: readonly GraphQLError[],
): 'VALIDATION_FAILED' | 'GRAPHQL_VALIDATION_FAILED' {
  return faults.every(faultOf) ? 'VALIDATION_FAILED' : 'GRAPHQL_VALIDATION_FAILED'
}

function keyOf(text: string, name: string | null | undefined): string {
  return `${name ?? ''}\n${text}`
}

/** Refuses variables that are too large, and strings in them that would not be stored as sent. */
export function requireStorable(variables: unknown): void {
  if (variables === undefined || variables === null) return
  if (JSON.stringify(variables).length > limits.variablesBytes) {
    throw tooComplex(`The variables are larger than ${limits.variablesBytes} bytes.`)
  }
  refuseUnstorable(variables)
}

function parseWithin(text: string): DocumentNode {
  if (text.length > limits.characters) {
    throw tooComplex(`The document is longer than ${limits.characters} characters.`)
  }
  try {
    return parse(text, { maxTokens: limits.tokens })
  } catch (error) {
    if (!(error instanceof GraphQLError)) throw error
    if (/more that? \d+ tokens/.test(error.message)) {
      throw tooComplex(`The document has more than ${limits.tokens} tokens.`)
    }
    throw refusal('GRAPHQL_PARSE_FAILED', [error])
  }
}

/** What a selection set comes to when its fragments are spread, counted once per fragment. */
interface Size {
  depth: number
  selections: number
}

/** Refuses with QUERY_TOO_COMPLEX a document over any of the limits. */
export function requireSmall(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    } else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  if (operations.length > limits.operations) throw tooComplex('Too many operations.')
  const measure = measurer(fragments)
  for (const { operation, selectionSet } of operations) {
    const roots = selectionSet.selections.length
    const most = operation === 'query' ? limits.rootFields : limits.mutationFields
    if (roots > most) {
      throw tooComplex(
        most === 1
          ? `A ${operation} has one field: send each in a request of its own.`
          : `More than ${most} root fields in a ${operation}.`,
      )
    }
    const { depth, selections } = measure(selectionSet)
    if (depth > limits.depth) throw tooComplex(`Deeper than ${limits.depth} levels.`)
    if (selections > limits.selections) throw tooComplex(`More than ${limits.selections} fields.`)
  }
  requireFew(document)
  const repeated = repeatedField(document)
  if (repeated !== null) {
    throw tooComplex(
      `The field ${repeated} is selected more than ${maxRepeats} times in one place.`,
    )
  }
}

/** Refuses with GRAPHQL_VALIDATION_FAILED a name no operation has, and no name where there are several. */
function requireOne(document: DocumentNode, name: string | null | undefined): void {
  const names = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
  )
  if (name ? names.includes(name) : names.length === 1) return
  const detail = name ? `There is no operation ${name}.` : 'Name one operation in operationName.'
  throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail })
}

function measurer(fragments: ReadonlyMap<string, FragmentDefinitionNode>) {
  const known = new Map<string, Size>()
  const open = new Set<string>()
  const measure = (set: SelectionSetNode): Size => {
    let depth = 0
    let selections = 0
    for (const selection of set.selections) {
      const size = sizeOf(selection)
      depth = Math.max(depth, size.depth)
      selections = Math.min(selections + size.selections, Number.MAX_SAFE_INTEGER)
    }
    return { depth, selections }
  }
  const sizeOf = (selection: SelectionSetNode['selections'][number]): Size => {
    if (selection.kind === Kind.FRAGMENT_SPREAD) return ofFragment(selection.name.value)
    if (selection.kind === Kind.INLINE_FRAGMENT) return measure(selection.selectionSet)
    if (!selection.selectionSet) return { depth: 1, selections: 1 }
    // Introspection reads the schema and no data; its own depth is its standard query's.
    if (selection.name.value.startsWith('__')) return { depth: 1, selections: 1 }
    const inner = measure(selection.selectionSet)
    return { depth: inner.depth + 1, selections: inner.selections + 1 }
  }
  const ofFragment = (name: string): Size => {
    const size = known.get(name)
    if (size) return size
    const fragment = fragments.get(name)
    // Unknown fragments and cycles are GraphQL's own rules to refuse.
    if (!fragment || open.has(name)) return { depth: 0, selections: 0 }
    open.add(name)
    const measured = measure(fragment.selectionSet)
    open.delete(name)
    known.set(name, measured)
    return measured
  }
  return measure
}

/** Aliases and directives are counted where they are written; nesting is bounded by the token limit. */
function requireFew(document: DocumentNode): void {
  let aliases = 0
  let directives = 0
  const metaFields = new Set<string>()
  const pending: unknown[] = [document]
  while (pending.length > 0) {
    const node = pending.pop()
    if (Array.isArray(node)) pending.push(...(node as unknown[]))
    else if (typeof node === 'object' && node !== null) {
      const { kind, alias, value } = node as { kind?: string; alias?: unknown; value?: unknown }
      if (kind === Kind.FIELD && alias) {
        requirePlainAlias((alias as NameNode).value)
        aliases++
      }
      if (kind === Kind.DIRECTIVE) directives++
      if (kind === Kind.FIELD) requireOnce(metaFields, (node as FieldNode).name.value)
      if (kind === Kind.STRING) refuseUnstorable(value, '/query')
      for (const [name, child] of Object.entries(node)) if (name !== 'loc') pending.push(child)
    }
  }
  if (aliases > limits.aliases) throw tooComplex(`More than ${limits.aliases} aliases.`)
  if (directives > limits.directives) throw tooComplex(`More than ${limits.directives} directives.`)
}

/** The whole schema is some 300 KB: under many aliases, a small document would answer megabytes. */
function requireOnce(metaFields: Set<string>, name: string): void {
  if (name !== '__schema' && name !== '__type') return
  if (metaFields.has(name)) throw tooComplex(`More than one ${name} in a document.`)
  metaFields.add(name)
}

/**
 * An alias becomes a member of objects that are merged and shaped: one that every object already
 * has, `__proto__` or `constructor`, would reach into JavaScript's own. GraphQL reserves `__` anyway.
 */
function requirePlainAlias(alias: string): void {
  if (!alias.startsWith('__') && !(alias in Object.prototype)) return
  throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail: `The alias ${alias} is reserved.` })
}

function tooComplex(detail: string): Problem {
  return new Problem('QUERY_TOO_COMPLEX', { detail })
}

function refusal(
  code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'VALIDATION_FAILED',
  faults: readonly GraphQLError[],
): Problem {
  const errors = faults.map((fault) => ({
    ...(faultOf(fault) ?? { pointer: '/query', code, detail: fault.message }),
    ...(fault.locations && { locations: fault.locations }),
  }))
  return new Problem(code, { detail: faults[0]!.message, errors })
}
