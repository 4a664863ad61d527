import 'reflect-metadata'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { followClock } from './workers/follow-clock.ts'
import { deleteExpiredKeys } from './workers/delete-expired-keys.ts'
import { chainIdentityRecords } from './workers/identity-records.ts'
import { eraseIdentityRecords } from './workers/erase-identity-records.ts'
import { deleteOldRefusals } from './workers/delete-old-refusals.ts'
import { deleteOldRequests } from './workers/delete-old-requests.ts'
import { AuditResolver } from './graph/audit.resolver.ts'
import { IdempotencyResolver } from './graph/idempotency.resolver.ts'
import { IdentityRecordOperations } from './graph/identity-record.resolver.ts'
import { JobOperations } from './graph/job.resolver.ts'
import {
  OAuthClientOperations,
  OAuthClientWithSecretResolver,
} from './graph/oauth-client.resolver.ts'
import { LogInOperations } from './graph/log-in.resolver.ts'
import { EnvironmentOperations, OperationsResolver } from './graph/operations.resolver.ts'
import { addErrorCodes } from './graph/problem.types.ts'
import { LoggedRequestResolver } from './graph/logged-request.resolver.ts'
import { RefusalResolver } from './graph/refusal.resolver.ts'

/**
 * The subgraph of the environment, its clock, OAuth clients, jobs, the audit trail and the problem
 * catalog.
 */
export const operations: Subgraph = {
  name: 'operations',
  resolvers: [
    OperationsResolver,
    EnvironmentOperations,
    AuditResolver,
    IdentityRecordOperations,
    JobOperations,
    RefusalResolver,
    LoggedRequestResolver,
    IdempotencyResolver,
    OAuthClientOperations,
    LogInOperations,
    OAuthClientWithSecretResolver,
  ],
  types: [],
  references: {},
  workers: [
    chainIdentityRecords,
    deleteExpiredKeys,
    deleteOldRefusals,
    deleteOldRequests,
    eraseIdentityRecords,
    followClock,
  ],
  beforeBuild: addErrorCodes,
}
