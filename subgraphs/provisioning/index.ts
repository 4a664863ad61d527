import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import {
  FacilityProvisionResolver,
  OverdraftProvisionResolver,
  ProvisionItemResolver,
  ProvisionOperations,
  ProvisionResolver,
} from './graph/provision.resolver.ts'
import {
  ProvisioningRunOperations,
  ProvisioningRunResolver,
} from './graph/provisioning-run.resolver.ts'
import { ProvisioningTableOperations } from './graph/provisioning-table.resolver.ts'
import { StageOverrideOperations, StageOverrideResolver } from './graph/stage-override.resolver.ts'
import { AccountArrangementStub, FacilityStub, PostingInstructionStub } from './model/references.ts'
import { loadProvision } from './store/provision.ts'
import { loadRun } from './store/provisioning-run.ts'
import { loadTable } from './store/provisioning-table.ts'
import { loadOverride } from './store/stage-override.ts'
import { checkLossAllowances, endUnneededAllowances } from './workers/allowances.ts'
import { runProvisioning } from './workers/run-provisioning.ts'
import { scheduleProvisioning } from './workers/schedule-provisioning.ts'

const readsProvisioning = 'provisioning:read'

/** The provisioning subgraph: the expected credit losses of loans and overdrafts, and their booking. */
export const provisioning: Subgraph = {
  name: 'provisioning',
  resolvers: [
    ProvisionOperations,
    ProvisionResolver,
    ProvisionItemResolver,
    FacilityProvisionResolver,
    OverdraftProvisionResolver,
    ProvisioningRunOperations,
    ProvisioningRunResolver,
    ProvisioningTableOperations,
    StageOverrideOperations,
    StageOverrideResolver,
  ],
  types: [AccountArrangementStub, FacilityStub, PostingInstructionStub],
  references: {
    Provision: referenceTo(readsProvisioning, 'provisionId', loadProvision),
    ProvisioningRun: referenceTo(readsProvisioning, 'provisioningRunId', loadRun),
    ProvisioningTable: referenceTo(readsProvisioning, 'provisioningTableId', loadTable),
    StageOverride: referenceTo(readsProvisioning, 'stageOverrideId', loadOverride),
    Facility: referenceByKey('facilityId'),
    AccountArrangement: referenceByKey('arrangementId'),
  },
  workers: [scheduleProvisioning, runProvisioning, endUnneededAllowances, checkLossAllowances],
}
