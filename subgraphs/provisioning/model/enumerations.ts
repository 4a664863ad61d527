import { enumeration, type TypeOf } from '../../../kernel/domain/model.ts'

export const ImpairmentStage = enumeration(
  'ImpairmentStage',
  'The impairment stage of a financial asset (IFRS 9, section 5.5).',
  {
    'stage-1':
      'The credit risk has not increased significantly. The loss allowance covers the defaults ' +
      'expected within twelve months.',
    'stage-2':
      'The credit risk has increased significantly. The loss allowance covers the defaults ' +
      'expected over the lifetime.',
    'stage-3': 'The asset is credit-impaired. The loss allowance covers its lifetime.',
  },
)
export type ImpairmentStage = TypeOf<typeof ImpairmentStage>

export const StageReason = enumeration(
  'StageReason',
  'A reason why a facility is not in stage 1.',
  {
    'days-past-due': 'The facility is more days past due than its stage allows.',
    'hardship-request': 'The customer has requested hardship relief, which is not decided yet.',
    forbearance: 'The bank granted relief because of financial difficulty.',
    manual: 'An employee set the stage.',
    'cure-period':
      'The facility qualifies for a better stage, but has not done so for the whole cure period.',
  },
)
export type StageReason = TypeOf<typeof StageReason>

export const ProvisioningSegment = enumeration(
  'ProvisioningSegment',
  'A group of facilities with a similar credit risk: the facilities of one kind, or overdrafts.',
  {
    'consumer-loan': 'Loans to consumers.',
    mortgage: 'Loans secured by real estate.',
    'sme-facility': 'Loans to small and medium-sized enterprises.',
    revolving: 'Credit lines.',
    overdraft: 'Accounts that are overdrawn or have an overdraft limit.',
  },
)
export type ProvisioningSegment = TypeOf<typeof ProvisioningSegment>

export const ProvisioningTableStatus = enumeration(
  'ProvisioningTableStatus',
  'Whether a provisioning table has been approved.',
  {
    proposed: 'The table waits for the decision of another person.',
    approved: 'The table applies from its effective date until another table does.',
    rejected: 'The table does not apply. This status is final.',
  },
)
export type ProvisioningTableStatus = TypeOf<typeof ProvisioningTableStatus>

export const ProvisioningRunStatus = enumeration(
  'ProvisioningRunStatus',
  'The status of a provisioning run.',
  {
    scheduled: 'The run waits to be processed.',
    running: 'The run is being processed.',
    completed: 'All facilities were processed. This status is final.',
    failed: 'The run stopped before all facilities were processed. It can be resumed.',
  },
)
export type ProvisioningRunStatus = TypeOf<typeof ProvisioningRunStatus>

export const StageOverrideStatus = enumeration(
  'StageOverrideStatus',
  'Whether a stage override applies.',
  {
    active: 'The facility is at least in the stage of the override.',
    ended: 'The override no longer applies. This status is final.',
  },
)
export type StageOverrideStatus = TypeOf<typeof StageOverrideStatus>
