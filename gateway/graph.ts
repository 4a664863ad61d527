import { ApolloGateway } from '@apollo/gateway'
import type { QueryPlan } from '@apollo/query-planner'
import { parse, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql'
import type { Logger } from 'pino'
import type { Context } from '../kernel/environment/context.ts'
import { inSpan, SpanKind } from '../kernel/telemetry/tracing.ts'
import { Apollo } from './apollo.ts'
import { readSupergraph } from './compose.ts'
import { maskError } from './errors.ts'
import { locateErrors } from './fault-places.ts'
import { adoptScalars } from './input-faults.ts'
import { measured } from './measure-operation.ts'
import { operationOf, withDefaults, type Operation } from './operation.ts'
import { PersistedQueries } from './persisted-queries.ts'
import { compilePlan, type CompiledPlan } from './plan.ts'
import { recordErrors } from './refusals.ts'
import type { Source } from './sources.ts'

/**
 * The composed graph of this process. Both environments share it; the context determines the
 * environment and the caller.
 */
export interface Graph {
  apiSchema: GraphQLSchema
  supergraphSdl: string
  supergraph: DocumentNode
  /** Serves the requests of HTTP clients. */
  apollo: Apollo
  persistedQueries: PersistedQueries
  /** Executes a validated operation. The errors of the result are formatted for clients. */
  run(operation: Operation, variables: object, context: Context): Promise<ExecutionResult>
  stop(): Promise<void>
}

type Executor = (request: object) => Promise<ExecutionResult>

/**
 * Compiled plans by document and operation name; null if the plan cannot be compiled. The gateway
 * then executes the operation.
 */
type Plans = WeakMap<DocumentNode, Map<string, CompiledPlan | null>>

/**
 * Creates the graph from the committed supergraph and the sources of its subgraphs. Subgraphs are
 * not introspected, so processes can start in any order. The first time, Apollo Gateway plans and
 * executes an operation. This module then compiles the plan and executes it from then on.
 */
export async function createGraph(
  sources: ReadonlyMap<string, Source>,
  log: Logger,
): Promise<Graph> {
  // Otherwise the gateway would report usage data to its vendor.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true'
  const supergraphSdl = readSupergraph()
  const queryPlans = new WeakMap<DocumentNode, QueryPlan>()
  let apiSchema: GraphQLSchema | undefined
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: quietLogger(log),
    __exposeQueryPlanExperimental: false,
    experimental_didResolveQueryPlan({ queryPlan, requestContext }) {
      queryPlans.set(requestContext.document, queryPlan)
    },
    buildService({ name }) {
      const source = sources.get(name)
      if (!source)
        throw new Error(
          `The supergraph refers to the subgraph ${name}, which does not exist. Run: npm run generate`,
        )
      return source
    },
  })
  gateway.onSchemaLoadOrUpdate((loaded) => (apiSchema = loaded.apiSchema))
  const execute = (await gateway.load()).executor as unknown as Executor
  const schema = apiSchema!
  adoptScalars(schema)
  const plans: Plans = new WeakMap()
  const persistedQueries = new PersistedQueries()
  const apollo = new Apollo(schema, persistedQueries, log)
  await apollo.start()
  const runInGateway: Graph['run'] = async (operation, variables, context) => {
    const result = await execute(requestOf(operation, variables, context))
    const plan = queryPlans.get(operation.document)
    if (plan) cache(plans, operation, compilePlan(plan, operation, schema, sources))
    return result
  }
  return {
    apiSchema: schema,
    supergraphSdl,
    supergraph: parse(supergraphSdl, { noLocation: true }),
    apollo,
    persistedQueries,
    async run(operation, sentVariables, context) {
      const variables = withDefaults(operation, sentVariables as Record<string, unknown>)
      const { data = null, errors } = await measured(context.bank, operation, () => {
        const compiled = plans.get(operation.document)?.get(operation.name ?? '')
        return compiled
          ? compiled(variables, context)
          : inSpan('plan and execute', SpanKind.INTERNAL, {}, () =>
              runInGateway(operation, variables, context),
            )
      })
      if (!errors) return { data }
      const masked = errors.map((error) =>
        locateErrors(operation, maskError(error, context.bank.log)),
      )
      recordErrors(context, operation, masked)
      return { data, errors: masked as never }
    },
    async stop() {
      await apollo.stop()
      await gateway.stop()
    },
  }
}

function cache(plans: Plans, { document, name }: Operation, plan: CompiledPlan | null): void {
  const byName = plans.get(document) ?? new Map<string, CompiledPlan | null>()
  byName.set(name ?? '', plan)
  plans.set(document, byName)
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

function quietLogger(log: Logger) {
  const logAt = (level: 'debug' | 'warn' | 'error') => (message?: unknown) => log[level](message)
  return { debug: logAt('debug'), info: logAt('debug'), warn: logAt('warn'), error: logAt('error') }
}
