import {
  entity,
  id,
  input,
  instant,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { ImpairmentStage, StageOverrideStatus } from './enumerations.ts'

export const StageOverride = entity(
  'StageOverride',
  'stageOverrideId',
  'The lowest stage of a facility or of an overdraft, set by an employee.',
  {
    stageOverrideId: id('The ID of the override, such as `sov_…`.').inEvents(),
    facilityId: id(
      'The ID of the facility. For an overdraft, it is the ID of the account in events, and ' +
        '`overdraft/` with this ID otherwise.',
    ).inEvents(),
    stage: oneOf(ImpairmentStage, 'The lowest stage: stage 2 or stage 3.').inEvents(),
    status: oneOf(StageOverrideStatus, 'Whether the override applies.').inEvents(),
    reason: text('Why the stage was set.'),
    setBy: string('Who set the stage.').inEvents(),
    endReason: text('Why the override was ended; null while it is active.').orNull(),
    endedBy: string('Who ended the override; null while it is active.').orNull().inEvents(),
    createdAt: instant('When the stage was set, in UTC.'),
    partyId: stored<string>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type StageOverride = TypeOf<typeof StageOverride>

export const stageOverrideStates = stateMachine(StageOverride, 'status', {
  endStageOverride: {
    description:
      'Ends a stage override. The stage of the facility improves after its cure period, in a later ' +
      'provisioning run.',
    scope: 'provisioning:write',
    needsPerson: true,
    from: ['active'],
    to: 'ended',
    event: ['provisioning.stage-override.ended', 'A stage override was ended.'],
    args: { endReason: text('Why the override is ended.').named('reason') },
    set: ({ subject }) => ({ endedBy: subject }),
  },
})

export const SetFacilityStageInput = input(
  'SetFacilityStageInput',
  'The lowest stage of a facility.',
  {
    facilityId: id('The ID of the facility.'),
    stage: oneOf(ImpairmentStage, 'The lowest stage: stage 2 or stage 3.'),
    reason: text('Why the stage is set, such as a covenant that was broken.'),
  },
)
export type SetFacilityStageInput = TypeOf<typeof SetFacilityStageInput>

export const SetOverdraftStageInput = input(
  'SetOverdraftStageInput',
  'The lowest stage of an overdraft.',
  {
    arrangementId: id('The ID of the account.'),
    stage: oneOf(ImpairmentStage, 'The lowest stage: stage 2 or stage 3.'),
    reason: text('Why the stage is set, such as a salary that is no longer paid in.'),
  },
)
export type SetOverdraftStageInput = TypeOf<typeof SetOverdraftStageInput>
