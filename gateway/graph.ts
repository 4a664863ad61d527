import { createHash } from 'node:crypto'
import { ApolloGateway, type GraphQLDataSource } from '@apollo/gateway'
import {
  parse,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  type OperationDefinitionNode,
} from 'graphql'
import type { Logger } from 'pino'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { readSupergraph } from './compose.ts'
import { maskError } from './errors.ts'

/** A document that has been validated, with the hash that its query plan is kept under. */
export interface Operation {
  document: DocumentNode
  hash: string
  name: string | undefined
}

type Loaded = Awaited<ReturnType<ApolloGateway['load']>>

/** The composed graph of this process, for both environments: who asks travels in the context. */
export interface Graph {
  gateway: ApolloGateway
  apiSchema: GraphQLSchema
  supergraphSdl: string
  supergraph: DocumentNode
  /** The gateway's own executor, for Apollo Server. */
  execute: Loaded['executor']
  run(operation: Operation, variables: object, context: Context): Promise<ExecutionResult>
  stop(): Promise<void>
}

/** Loads the committed supergraph over the given sources; nothing is introspected, so there is no start order. */
export async function createGraph(
  sources: ReadonlyMap<string, GraphQLDataSource>,
  log: Logger,
): Promise<Graph> {
  // The gateway would otherwise report its use to its vendor.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true'
  const supergraphSdl = readSupergraph()
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: quiet(log),
    __exposeQueryPlanExperimental: false,
    buildService({ name }) {
      const source = sources.get(name)
      if (!source) throw new Error(`The supergraph names ${name}, but there is no such subgraph.`)
      return source
    },
  })
  const loaded = {
    executor: null as Loaded['executor'] | null,
    schema: null as GraphQLSchema | null,
  }
  gateway.onSchemaLoadOrUpdate(({ apiSchema }) => (loaded.schema = apiSchema))
  loaded.executor = (await gateway.load()).executor
  const execute = loaded.executor!
  return {
    gateway,
    apiSchema: loaded.schema!,
    supergraphSdl,
    execute,
    supergraph: parse(supergraphSdl, { noLocation: true }),
    async run(operation, variables, context) {
      const result = await execute(requestOf(operation, variables, context) as never)
      const { data = null, errors } = result as ExecutionResult
      if (!errors) return { data }
      return { data, errors: errors.map((error) => maskError(error, context.bank.log)) as never }
    },
    stop: () => gateway.stop(),
  }
}

/** An operation of ours or one whose validation has passed. */
export function prepare(document: DocumentNode, text: string, name?: string): Operation {
  return { document, hash: createHash('sha256').update(text).digest('hex'), name }
}

function requestOf(operation: Operation, variables: object, context: Context) {
  return {
    request: { variables, operationName: operation.name },
    document: operation.document,
    queryHash: operation.hash,
    operationName: operation.name ?? null,
    operation: operationOf(operation.document, operation.name),
    context,
    metrics: {},
    logger: context.bank.log,
  }
}

/** The operation of a document that will run. */
export function operationOf(
  document: DocumentNode,
  name: string | null | undefined,
): OperationDefinitionNode | undefined {
  return document.definitions.find(
    (definition): definition is OperationDefinitionNode =>
      definition.kind === 'OperationDefinition' && (!name || definition.name?.value === name),
  )
}

function quiet(log: Logger) {
  const at = (level: 'debug' | 'warn' | 'error') => (message?: unknown) => log[level](message)
  return { debug: at('debug'), info: at('debug'), warn: at('warn'), error: at('error') }
}
