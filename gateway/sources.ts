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
import type { Context } from '../kernel/environment/context.ts'
import { formatError } from '../kernel/graph/errors.ts'
import { withRowSecurity } from '../kernel/authorization/row-secured-reads.ts'
import { inSpan, SpanKind } from '../kernel/telemetry/tracing.ts'
import { defaultsFor } from './input-defaults.ts'

type GatewayRequest = Parameters<GraphQLDataSource['process']>[0]

type Run = (context: Context, variables: object) => Promise<ExecutionResult> | ExecutionResult

/** A data source of the gateway, which runs the planned operations of one subgraph. */
export interface Source extends GraphQLDataSource {
  run(operation: string, variables: object, context: Context): Promise<SourceResult>
}

/** The result of a subgraph, with errors formatted for the gateway. */
export interface SourceResult {
  data: Record<string, unknown> | null | undefined
  errors?: GraphQLFormattedError[]
}

const maxDocuments = 2000

/**
 * A subgraph in this process. Each document of the planner is parsed and compiled once. It is not
 * validated, because the planner is trusted.
 */
export class LocalSource implements Source {
  readonly #name: string
  readonly #schema: GraphQLSchema
  readonly #runs = new Map<string, Run>()

  /** `name` is the subgraph's name in traces. */
  constructor(schema: GraphQLSchema, name = 'subgraph') {
    this.#schema = schema
    this.#name = name
  }

  process({ request, context }: GatewayRequest): ReturnType<GraphQLDataSource['process']> {
    const input = context as unknown as Context
    return this.run(request.query!, request.variables ?? {}, input) as never
  }

  run(operation: string, variables: object, context: Context): Promise<SourceResult> {
    const attributes = { 'bankgraph.subgraph': this.#name }
    return inSpan(`subgraph ${this.#name}`, SpanKind.INTERNAL, attributes, () =>
      this.#run(operation, variables, context),
    )
  }

  async #run(operation: string, variables: object, context: Context): Promise<SourceResult> {
    const run = this.#runs.get(operation) ?? this.#compile(operation)
    const { data, errors } = await run(context, variables)
    if (!errors) return { data }
    return { data, errors: errors.map((error) => formatError(error, context.bank.log)) }
  }

  #compile(text: string): Run {
    const document = parse(text, { noLocation: true })
    const compiled = compileQuery(this.#schema, document, undefined, {
      disablingCapturingStackErrors: true,
    })
    const fillDefaults = defaultsFor(this.#schema, document)
    const run: Run = isCompiledQuery(compiled)
      ? (context, variables) =>
          compiled.query(undefined, context, fillDefaults?.({ ...variables }) ?? variables)
      : (contextValue, variableValues) =>
          execute({
            schema: this.#schema,
            document,
            contextValue,
            variableValues: variableValues as Record<string, unknown>,
          })
    if (this.#runs.size >= maxDocuments) {
      this.#runs.delete(this.#runs.keys().next().value!)
    }
    const securedRun: Run = isReadOnly(document)
      ? (context, variables) => run(withRowSecurity(context), variables)
      : run
    this.#runs.set(text, securedRun)
    return securedRun
  }
}

function isReadOnly({ definitions }: DocumentNode): boolean {
  return definitions.every(
    (each) => each.kind !== Kind.OPERATION_DEFINITION || each.operation === 'query',
  )
}
