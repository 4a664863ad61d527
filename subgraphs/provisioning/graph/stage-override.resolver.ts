import { id, object, oneOf } from '../../../kernel/domain/model.ts'
import { Resolver, FieldResolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { setFacilityStage, setOverdraftStage } from '../commands/stage-override.ts'
import { StageOverrideStatus } from '../model/enumerations.ts'
import { AccountArrangementStub, FacilityStub } from '../model/references.ts'
import {
  SetFacilityStageInput,
  SetOverdraftStageInput,
  StageOverride,
  stageOverrideStates,
} from '../model/stage-override.ts'
import { stageOverrideKind, stageOverrides } from '../store/stage-override.ts'
import { arrangementOut, facilityOut } from './provided.ts'

export const StageOverrideOperations = resolverOf({
  queries: {
    stageOverrides: listing(StageOverride, {
      description:
        'Returns stage overrides in the order in which they were set. Not available to delegated ' +
        'users.',
      scope: 'provisioning:read',
      isForBankOnly: true,
      filters: {
        facilityId: id('Returns only overrides of this facility.').orNull(),
        status: oneOf(StageOverrideStatus, 'Returns only overrides with this status.').orNull(),
      },
      ...stageOverrides,
    }),
  },
  mutations: {
    setFacilityStage: operation({
      description:
        'Sets the lowest stage of a facility, from the next provisioning run. Not available to ' +
        'delegated users.',
      scope: 'provisioning:write',
      needsPerson: true,
      returns: StageOverride,
      args: { input: object(SetFacilityStageInput, 'The stage to set.') },
      resolve: (context, { input }) => setFacilityStage(context, input),
    }),
    setOverdraftStage: operation({
      description:
        'Sets the lowest stage of the overdraft of an account, from the next provisioning run. Not ' +
        'available to delegated users.',
      scope: 'provisioning:write',
      needsPerson: true,
      returns: StageOverride,
      args: { input: object(SetOverdraftStageInput, 'The stage to set.') },
      resolve: (context, { input }) => setOverdraftStage(context, input),
    }),
    ...transitionsOf(stageOverrideStates, changeOf(stageOverrideKind)),
  },
})

@Resolver(() => StageOverride)
export class StageOverrideResolver {
  @FieldResolver(() => FacilityStub, {
    nullable: true,
    description: 'The facility whose stage is set; null for an overdraft.',
  })
  facility(@Root() { facilityId }: StageOverride): FacilityStub | null {
    return facilityOut(facilityId)
  }

  @FieldResolver(() => AccountArrangementStub, {
    nullable: true,
    description: 'The account whose overdraft has the stage; null for a facility.',
  })
  arrangement(@Root() { facilityId }: StageOverride): AccountArrangementStub | null {
    return arrangementOut(facilityId)
  }
}
