import 'reflect-metadata'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { forgetOldKeys } from './forget-keys.ts'
import { IdempotencyResolver } from './graph/idempotency.resolver.ts'
import { OperationsResolver } from './graph/operations.resolver.ts'

/** Operations: the environment and its clock, what became of a key, the error catalogue. */
export const operations: Subgraph = {
  name: 'operations',
  resolvers: [OperationsResolver, IdempotencyResolver],
  types: [],
  references: {},
  workers: [forgetOldKeys],
}
