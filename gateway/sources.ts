import type { GraphQLDataSource } from '@apollo/gateway'
import type { GatewayGraphQLResponse } from '@apollo/server-gateway-interface'
import { execute, parse, type ExecutionResult, type GraphQLSchema } from 'graphql'
import { compileQuery, isCompiledQuery } from 'graphql-jit'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { formatError } from '../subgraphs/_kernel/graph/errors.ts'

type Run = (context: Context, variables: object) => Promise<ExecutionResult> | ExecutionResult

const mostDocuments = 2000

/**
 * A subgraph in this process. The planner's own documents are trusted: each is parsed and compiled
 * once and never validated.
 */
export class LocalSource implements GraphQLDataSource {
  readonly #schema: GraphQLSchema
  readonly #compiled = new Map<string, Run>()

  constructor(schema: GraphQLSchema) {
    this.#schema = schema
  }

  async process({
    request,
    context,
  }: Parameters<GraphQLDataSource['process']>[0]): Promise<GatewayGraphQLResponse> {
    const own = context as unknown as Context
    const run = this.#compiled.get(request.query!) ?? this.#compile(request.query!)
    const { data, errors } = await run(own, request.variables ?? {})
    if (!errors) return { data: data as Record<string, unknown> }
    const formatted = errors.map((error) => formatError(error, own.bank.log))
    return { data: data as Record<string, unknown>, errors: formatted }
  }

  #compile(text: string): Run {
    const document = parse(text, { noLocation: true })
    const compiled = compileQuery(this.#schema, document, undefined, {
      disablingCapturingStackErrors: true,
    })
    const run: Run = isCompiledQuery(compiled)
      ? (context, variables) => compiled.query(undefined, context, variables)
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
    this.#compiled.set(text, run)
    return run
  }
}
