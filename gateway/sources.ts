import type { GraphQLDataSource } from '@apollo/gateway'
import {
  execute,
  Kind,
  parse,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { formatError } from '../subgraphs/_kernel/graph/errors.ts'
import { reading } from '../subgraphs/_kernel/reading.ts'
import { defaultsFor } from './input-defaults.ts'

type Asked = Parameters<GraphQLDataSource['process']>[0]

type Run = (context: Context, variables: object) => Promise<ExecutionResult> | ExecutionResult

/** Where a subgraph's planned operations run; the gateway asks it as any of its data sources. */
export interface Source extends GraphQLDataSource {
  run(operation: string, variables: object, context: Context): Promise<SourceAnswer>
}

/** A subgraph's answer, with errors as they cross the boundary. */
export interface SourceAnswer {
  data: Record<string, unknown> | null | undefined
  errors?: GraphQLFormattedError[]
}

const mostDocuments = 2000

/**
 * A subgraph in this process. The planner's own documents are trusted: each is parsed and compiled
 * once and never validated.
 */
export class LocalSource implements Source {
  readonly #schema: GraphQLSchema
  readonly #compiled = new Map<string, Run>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  process({ request, context }: Asked): ReturnType<GraphQLDataSource['process']> {
    const asked = context as unknown as Context
    return this.run(request.query!, request.variables ?? {}, asked) as never
  }

  async run(operation: string, variables: object, context: Context): Promise<SourceAnswer> {
    const run = this.#compiled.get(operation) ?? this.#compile(operation)
    const { data, errors } = await run(context, variables)
    if (!errors) return { data }
    return { data, errors: errors.map((error) => formatError(error, context.bank.log)) }
  }

  #compile(text: string): Run {
    const document = parse(text, { noLocation: true })
    const compiled = compileQuery(this.#schema, document, undefined, {
      disablingCapturingStackErrors: true,
    })
    const fill = defaultsFor(this.#schema, document)
    const run: Run = isCompiledQuery(compiled)
      ? (context, variables) =>
          compiled.query(undefined, context, fill?.({ ...variables }) ?? variables)
      : (contextValue, variableValues) =>
          execute({
            schema: this.#schema,
            document,
            contextValue,
            variableValues: variableValues as Record<string, unknown>,
          })
    if (this.#compiled.size >= mostDocuments) {
      this.#compiled.delete(this.#compiled.keys().next().value!)
    }
    const inContext: Run = changesNothing(document)
      ? (context, variables) => run(reading(context), variables)
      : run
    this.#compiled.set(text, inContext)
    return inContext
  }
}

function changesNothing({ definitions }: DocumentNode): boolean {
  return definitions.every(
    (each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === 'query',
  )
}
