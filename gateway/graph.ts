import { ApolloGateway } from '@apollo/gateway'
import type { QueryPlan } from '@apollo/query-planner'
import { parse, type DocumentNode, type ExecutionResult, type GraphQLSchema } from 'graphql'
import type { Logger } from 'pino'
import type { Context } from '../subgraphs/_kernel/context.ts'
import { readSupergraph } from './compose.ts'
import { maskError } from './errors.ts'
import { locateFaults } from './fault-places.ts'
import { adoptScalars } from './input-faults.ts'
import { operationOf, type Operation } from './operation.ts'
import { compilePlan, type CompiledPlan } from './plan.ts'
import { noteRefusals } from './refusals.ts'
import type { Source } from './sources.ts'

/** The composed graph of this process, for both environments: who asks travels in the context. */
export interface Graph {
  apiSchema: GraphQLSchema
  supergraphSdl: string
  supergraph: DocumentNode
  /** Runs a validated operation. Errors are as a client may see them. */
  run(operation: Operation, variables: object, context: Context): Promise<ExecutionResult>
  stop(): Promise<void>
}

type Executor = (request: object) => Promise<ExecutionResult>

/** Plans that were compiled, by document and operation name; null where the gateway runs the plan itself. */
type Plans = WeakMap<DocumentNode, Map<string, CompiledPlan | null>>

/**
 * Loads the committed supergraph over the given sources; nothing is introspected, so there is no
 * start order. The gateway plans each operation once; what it planned is compiled and run by us.
 */
export async function createGraph(
  sources: ReadonlyMap<string, Source>,
  log: Logger,
): Promise<Graph> {
  // The gateway would otherwise report its use to its vendor.
  process.env['APOLLO_TELEMETRY_DISABLED'] = 'true'
  const supergraphSdl = readSupergraph()
  const planned = new WeakMap<DocumentNode, QueryPlan>()
  let apiSchema: GraphQLSchema | undefined
  const gateway = new ApolloGateway({
    supergraphSdl,
    logger: quiet(log),
    __exposeQueryPlanExperimental: false,
    experimental_didResolveQueryPlan({ queryPlan, requestContext }) {
      planned.set(requestContext.document, queryPlan)
    },
    buildService({ name }) {
      const source = sources.get(name)
      if (!source) throw new Error(`The supergraph names ${name}, but there is no such subgraph.`)
      return source
    },
  })
  gateway.onSchemaLoadOrUpdate((loaded) => (apiSchema = loaded.apiSchema))
  const execute = (await gateway.load()).executor as unknown as Executor
  const schema = apiSchema!
  adoptScalars(schema)
  const plans: Plans = new WeakMap()
  const runOnce: Graph['run'] = async (operation, variables, context) => {
    const result = await execute(requestOf(operation, variables, context))
    const plan = planned.get(operation.document)
    if (plan) remember(plans, operation, compilePlan(plan, operation, schema, sources))
    return result
  }
  return {
    apiSchema: schema,
    supergraphSdl,
    supergraph: parse(supergraphSdl, { noLocation: true }),
    async run(operation, variables, context) {
      const compiled = plans.get(operation.document)?.get(operation.name ?? '')
      const { data = null, errors } = compiled
        ? await compiled(variables as Record<string, unknown>, context)
        : await runOnce(operation, variables, context)
      if (!errors) return { data }
      const masked = errors.map((error) =>
        locateFaults(operation, maskError(error, context.bank.log)),
      )
      noteRefusals(context, operation, masked)
      return { data, errors: masked as never }
    },
    stop: () => gateway.stop(),
  }
}

function remember(plans: Plans, { document, name }: Operation, plan: CompiledPlan | null): void {
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

function quiet(log: Logger) {
  const at = (level: 'debug' | 'warn' | 'error') => (message?: unknown) => log[level](message)
  return { debug: at('debug'), info: at('debug'), warn: at('warn'), error: at('error') }
}
