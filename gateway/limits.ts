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
} from 'graphql'
import { Problem } from '../kernel/domain/problem.ts'
import { requireStorableJson } from '../kernel/domain/unstorable.ts'
import { createMeasurer } from './document-size.ts'
import { variableFaults } from './input-faults.ts'
import { describeFault, documentRules, faultOf } from './literals-rule.ts'
import { MixedValues } from './mixed-values.ts'
import { createOperation, type Operation } from './operation.ts'
import { maxRepeats, repeatedField } from './repeated-fields.ts'

/** The limits of a document and its variables. `mutationFields` also applies to subscriptions. */
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

const maxCached = 1000

/**
 * Parses and validates documents, and caches the results. The size of a document is checked first,
 * in linear time, because the validation rules of GraphQL can take much longer.
 */
export class DocumentReader {
  readonly #schema: GraphQLSchema
  readonly #operations = new Map<string, Operation>()
  readonly #mixedValues: MixedValues

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
    this.#mixedValues = new MixedValues(schema)
  }

  /**
   * Parses and validates a document. Throws GRAPHQL_PARSE_FAILED, QUERY_TOO_COMPLEX,
   * GRAPHQL_VALIDATION_FAILED, VALIDATION_FAILED.
   */
  read(text: string, name?: string | null): Operation {
    return this.validate(this.parse(text, name), text, name)
  }

  /**
   * Parses a document and checks its limits, in time linear in its length, without validating it.
   * Throws GRAPHQL_PARSE_FAILED, QUERY_TOO_COMPLEX, GRAPHQL_VALIDATION_FAILED, VALIDATION_FAILED.
   */
  parse(text: string, name?: string | null): DocumentNode {
    const cachedOperation = this.#operations.get(keyOf(text, name))
    if (cachedOperation) return cachedOperation.document
    const document = parseWithinLimits(text)
    requireSmall(document)
    requireOperation(document, name)
    return document
  }

  /** Validates a parsed document. Throws GRAPHQL_VALIDATION_FAILED, VALIDATION_FAILED. */
  validate(document: DocumentNode, text: string, name?: string | null): Operation {
    const key = keyOf(text, name)
    const cachedOperation = this.#operations.get(key)
    if (cachedOperation) return cachedOperation
    const faults = validate(this.#schema, document, documentRules, { maxErrors: 5 })
    if (faults.length > 0) throw documentProblem(codeOf(faults), faults)
    const operation = createOperation(document, text, name ?? undefined)
    if (this.#operations.size >= maxCached) {
      this.#operations.delete(this.#operations.keys().next().value!)
    }
    this.#operations.set(key, operation)
    return operation
  }

  /**
   * Checks the types and limits of variables. Throws QUERY_TOO_COMPLEX for large variables,
   * UNKNOWN_PROPERTY if all errors are unknown properties, and VALIDATION_FAILED otherwise. JSON
   * pointers in the errors refer to the variables, or to the arguments for a literal with several
   * variables.
   */
  checkVariables(
    operation: Operation,
    variables: Record<string, unknown> | null | undefined,
  ): void {
    requireStorable(variables)
    const values = variables ?? {}
    const typeErrors = variableFaults(this.#schema, operation, values)
    const errors = typeErrors.length > 0 ? typeErrors : this.#mixedValues.faults(operation, values)
    if (errors.length === 0) return
    const hasOnlyUnknownProperties = errors.every(({ code }) => code === 'UNKNOWN_PROPERTY')
    const code = hasOnlyUnknownProperties ? 'UNKNOWN_PROPERTY' : 'VALIDATION_FAILED'
    throw new Problem(code, { detail: describeFault(errors[0]!), errors })
  }
}

/** Returns VALIDATION_FAILED if all errors concern literals, because literals are input. */
function codeOf(
  faults: readonly GraphQLError[],
): 'VALIDATION_FAILED' | 'GRAPHQL_VALIDATION_FAILED' {
  return faults.every(faultOf) ? 'VALIDATION_FAILED' : 'GRAPHQL_VALIDATION_FAILED'
}

function keyOf(text: string, name: string | null | undefined): string {
  return `${name ?? ''}\n${text}`
}

/** Throws QUERY_TOO_COMPLEX for large variables, and VALIDATION_FAILED for unstorable values. */
export function requireStorable(variables: unknown): void {
  if (variables === undefined || variables === null) return
  if (JSON.stringify(variables).length > limits.variablesBytes) {
    throw tooComplex(`The variables are larger than ${limits.variablesBytes} bytes.`)
  }
  requireStorableJson(variables)
}

function parseWithinLimits(text: string): DocumentNode {
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
    throw documentProblem('GRAPHQL_PARSE_FAILED', [error])
  }
}

/**
 * Throws QUERY_TOO_COMPLEX for a document that exceeds one of the limits, GRAPHQL_VALIDATION_FAILED
 * for a reserved alias, and VALIDATION_FAILED for strings that cannot be stored.
 */
export function requireSmall(document: DocumentNode): void {
  const fragments = new Map<string, FragmentDefinitionNode>()
  const operations: OperationDefinitionNode[] = []
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) {
      fragments.set(definition.name.value, definition)
    } else if (definition.kind === Kind.OPERATION_DEFINITION) operations.push(definition)
  }
  if (operations.length > limits.operations)
    throw tooComplex(`The document has more than ${limits.operations} operations.`)
  const measure = createMeasurer(fragments)
  for (const { operation, selectionSet } of operations) {
    const { depth, selections, rootFields } = measure(selectionSet)
    const limit = operation === 'query' ? limits.rootFields : limits.mutationFields
    if (rootFields > limit) {
      throw tooComplex(
        limit === 1
          ? `A ${operation} may have only one root field. Send each field in a separate request.`
          : `The ${operation} has more than ${limit} root fields.`,
      )
    }
    if (depth > limits.depth)
      throw tooComplex(`The selection is deeper than ${limits.depth} levels.`)
    if (selections > limits.selections)
      throw tooComplex(`The document selects more than ${limits.selections} fields.`)
  }
  requireFewAliasesAndDirectives(document)
  const repeated = repeatedField(document)
  if (repeated !== null) {
    throw tooComplex(
      `The field ${repeated} is selected more than ${maxRepeats} times in one selection set.`,
    )
  }
}

/** Throws GRAPHQL_VALIDATION_FAILED if it is not clear which operation to execute. */
function requireOperation(document: DocumentNode, name: string | null | undefined): void {
  const names = document.definitions.flatMap((definition) =>
    definition.kind === Kind.OPERATION_DEFINITION ? [definition.name?.value] : [],
  )
  if (name ? names.includes(name) : names.length === 1) return
  const detail = name
    ? `The document has no operation ${name}.`
    : 'The document must have exactly one operation, or operationName must name one of them.'
  throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail })
}

/** Limits aliases and directives. Each is counted once, even in a fragment that is used often. */
function requireFewAliasesAndDirectives(document: DocumentNode): void {
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
      if (kind === Kind.STRING) requireStorableJson(value, '/query')
      for (const [name, child] of Object.entries(node)) if (name !== 'loc') pending.push(child)
    }
  }
  if (aliases > limits.aliases)
    throw tooComplex(`The document has more than ${limits.aliases} aliases.`)
  if (directives > limits.directives)
    throw tooComplex(`The document has more than ${limits.directives} directives.`)
}

/**
 * Rejects a second use of `__schema` or `__type`. With aliases, each use would return the 300 KB
 * schema again.
 */
function requireOnce(metaFields: Set<string>, name: string): void {
  if (name !== '__schema' && name !== '__type') return
  if (metaFields.has(name)) throw tooComplex(`The document selects ${name} more than once.`)
  metaFields.add(name)
}

/**
 * Rejects aliases such as `__proto__` and `constructor`. Aliases become properties of merged
 * objects, where these names would refer to built-in properties of JavaScript. Names that begin
 * with `__` are reserved in GraphQL anyway.
 */
function requirePlainAlias(alias: string): void {
  if (!alias.startsWith('__') && !(alias in Object.prototype)) return
  throw new Problem('GRAPHQL_VALIDATION_FAILED', { detail: `The alias ${alias} is reserved.` })
}

function tooComplex(detail: string): Problem {
  return new Problem('QUERY_TOO_COMPLEX', { detail })
}

function documentProblem(
  code: 'GRAPHQL_PARSE_FAILED' | 'GRAPHQL_VALIDATION_FAILED' | 'VALIDATION_FAILED',
  faults: readonly GraphQLError[],
): Problem {
  const errors = faults.map((fault) => ({
    ...(faultOf(fault) ?? { pointer: '/query', code, detail: fault.message }),
    ...(fault.locations && { locations: fault.locations }),
  }))
  return new Problem(code, { detail: faults[0]!.message, errors })
}
