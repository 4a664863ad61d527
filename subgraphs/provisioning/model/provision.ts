import {
  boolean,
  currency,
  date,
  decimal,
  entity,
  id,
  integer,
  list,
  money,
  object,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { ImpairmentStage, ProvisioningSegment, StageReason } from './enumerations.ts'
import { totalFields } from './provisioning-run.ts'

export const Provision = entity(
  'Provision',
  'provisionId',
  'The loss allowance that the bank holds for one facility or overdraft, or the management overlay ' +
    'of a segment.',
  {
    provisionId: id(
      'The ID of the facility, of the management overlay, or `overdraft/` and the ID of an account.',
    ),
    segment: oneOf(ProvisioningSegment, 'The segment.'),
    currency: currency('The currency of the allowance.'),
    stage: oneOf(ImpairmentStage, 'The stage; null for a management overlay.').orNull(),
    reasons: list(oneOf(StageReason), 'Why the facility is not in stage 1.'),
    stageSince: date('The month end from which the facility has been in this stage.'),
    improvingSince: date(
      'The day from which the facility has qualified for a better stage; null if it does not.',
    ).orNull(),
    monthEnd: date('The month end of the last run that provided for the facility.'),
    /** The ID of the facility or of the overdraft; null for a management overlay. */
    facilityId: stored<string | null>(),
    partyId: stored<string | null>(),
    // Amounts are in minor units.
    exposureMinor: stored<bigint>(),
    allowanceMinor: stored<bigint>(),
    version: stored<number>(),
    createdAt: stored<Date>(),
    updatedAt: stored<Date>(),
  },
)
export type Provision = TypeOf<typeof Provision>

export const ProvisionItem = shape(
  'ProvisionItem',
  'The result of a provisioning run for one facility, or a use of its loss allowance.',
  {
    provisionId: id(
      'The ID of the facility, of the management overlay, or `overdraft/` and the ID of an account.',
    ),
    monthEnd: date('The month end of the run; the day on which an allowance was used or released.'),
    segment: oneOf(ProvisioningSegment, 'The segment.'),
    stage: oneOf(ImpairmentStage, 'The stage; null for a management overlay.').orNull(),
    reasons: list(oneOf(StageReason), 'Why the facility is not in stage 1.'),
    daysPastDue: integer('The number of days past due.'),
    pdPct: decimal('The probability of default, in percent.'),
    lgdPct: decimal('The loss given default after collateral, in percent.'),
    isDryRun: boolean('Whether the result was only computed.').named('dryRun'),
    /** The ID of the run; null if an allowance was used or released outside a run. */
    provisioningRunId: stored<string | null>(),
    itemId: stored<string>(),
    facilityId: stored<string | null>(),
    partyId: stored<string | null>(),
    currency: stored<string>(),
    // Amounts are in minor units.
    exposureMinor: stored<bigint>(),
    expectedLossMinor: stored<bigint>(),
    /** The allowance before and after. */
    beforeMinor: stored<bigint>(),
    allowanceMinor: stored<bigint>(),
    /** The part of the allowance that a charge-off used. */
    usedMinor: stored<bigint>(),
    postingInstructionId: stored<string | null>(),
    createdAt: stored<Date>(),
  },
)
export type ProvisionItem = TypeOf<typeof ProvisionItem>

export const ProvisionPreview = shape(
  'ProvisionPreview',
  'The stage and the loss allowance that a provisioning run today would compute.',
  {
    stage: oneOf(ImpairmentStage, 'The stage.'),
    reasons: list(oneOf(StageReason), 'Why the facility is not in stage 1.'),
    daysPastDue: integer('The number of days past due.'),
    pdPct: decimal('The probability of default, in percent.'),
    lgdPct: decimal('The loss given default after collateral, in percent.'),
    exposure: money('The exposure at default.'),
    expectedLoss: money('The expected credit loss, without the management overlay.'),
    allowance: money('The loss allowance, with the management overlay.'),
    change: money('The change from the loss allowance that is booked.'),
  },
)
export type ProvisionPreview = TypeOf<typeof ProvisionPreview>

export const AllowanceTotal = shape(
  'AllowanceTotal',
  'The loss allowances of one segment, stage and currency.',
  totalFields,
)
export type AllowanceTotal = TypeOf<typeof AllowanceTotal>

export const AllowanceBalance = shape(
  'AllowanceBalance',
  'The loss allowances of one currency, compared with the ledger.',
  {
    currency: currency('The currency.'),
    allowance: money('The sum of all loss allowances.'),
    ledgerBalance: money('The balance of the account `loan-loss-allowance` in the ledger.'),
    difference: money('The ledger balance minus the sum; zero if the books are right.'),
  },
)
export type AllowanceBalance = TypeOf<typeof AllowanceBalance>

export const AllowanceReport = shape(
  'AllowanceReport',
  'The loss allowances of the bank, by segment and stage, and their reconciliation to the ledger.',
  {
    totals: list(object(AllowanceTotal), 'The allowances by segment, stage and currency.'),
    balances: list(object(AllowanceBalance), 'The reconciliation to the ledger, by currency.'),
  },
)
export type AllowanceReport = TypeOf<typeof AllowanceReport>

export const ProvisioningFinding = shape(
  'ProvisioningFinding',
  'A violated invariant of the loss allowances.',
  {
    invariant: string('The name of the violated invariant.'),
    subject: string('The facility or the currency concerned.'),
    detail: string('A description of the violation, with the amounts that differ.'),
  },
)
export type ProvisioningFinding = TypeOf<typeof ProvisioningFinding>
