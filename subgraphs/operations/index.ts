import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { collectFees } from './fees/collect.ts'
import { scheduleFeeRuns } from './fees/schedule.ts'
import { runFees } from './fees/worker.ts'
import { followClock } from './follow-clock.ts'
import { forgetOldKeys } from './forget-keys.ts'
import { forgetOldRefusals } from './forget-refusals.ts'
import { AuditResolver } from './graph/audit.resolver.ts'
import { ArrangementFeesResolver, FeeReceivableResolver } from './graph/fee-receivable.resolver.ts'
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
import { findVisibleReceivable } from './store/fee-receivable.ts'
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
    FeeReceivableResolver,
    ArrangementFeesResolver,
    OAuthClientResolver,
    OAuthClientWithSecretResolver,
  ],
  types: [AccountArrangementStub, PostingInstructionStub],
  references: {
    async FeeRun({ feeRunId }: { feeRunId: string }, context) {
      requireScope(context.caller, 'fees:read')
      return loadRun(context, feeRunId)
    },
    async FeeReceivable({ feeReceivableId }: { feeReceivableId: string }, context) {
      requireScope(context.caller, 'accounts:read')
      return findVisibleReceivable(context, feeReceivableId)
    },
    AccountArrangement: ({ arrangementId }: { arrangementId: string }) => ({ arrangementId }),
  },
  workers: [forgetOldKeys, forgetOldRefusals, scheduleFeeRuns, runFees, collectFees, followClock],
}
