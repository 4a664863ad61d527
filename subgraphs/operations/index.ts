import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { scheduleFeeRuns } from './fees/schedule.ts'
import { runFees } from './fees/worker.ts'
import { forgetOldKeys } from './forget-keys.ts'
import { forgetOldRefusals } from './forget-refusals.ts'
import { AuditResolver } from './graph/audit.resolver.ts'
import { FeeRunItemResolver, FeeRunResolver } from './graph/fee-run.resolver.ts'
import { IdempotencyResolver } from './graph/idempotency.resolver.ts'
import { JobResolver } from './graph/job.resolver.ts'
import {
  OAuthClientResolver,
  OAuthClientWithSecretResolver,
} from './graph/oauth-client.resolver.ts'
import { OperationsResolver } from './graph/operations.resolver.ts'
import { RefusalResolver } from './graph/refusal.resolver.ts'
import { AccountArrangementStub, PostingInstructionStub } from './graph/stubs.types.ts'
import { loadRun } from './store/fee-run.ts'

/**
 * The subgraph of the environment, its clock, OAuth clients, jobs, fee runs, audit trail and
 * problem catalog.
 */
export const operations: Subgraph = {
  name: 'operations',
  resolvers: [
    OperationsResolver,
    AuditResolver,
    JobResolver,
    RefusalResolver,
    IdempotencyResolver,
    FeeRunResolver,
    FeeRunItemResolver,
    OAuthClientResolver,
    OAuthClientWithSecretResolver,
  ],
  types: [AccountArrangementStub, PostingInstructionStub],
  references: {
    async FeeRun({ feeRunId }: { feeRunId: string }, context) {
      requireScope(context.caller, 'fees:read')
      return loadRun(context, feeRunId)
    },
  },
  workers: [forgetOldKeys, forgetOldRefusals, scheduleFeeRuns, runFees],
}
