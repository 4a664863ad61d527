import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const FacilityStub = entity('Facility', 'facilityId', undefined, { facilityId: id() })
export type FacilityStub = TypeOf<typeof FacilityStub>

export const AccountArrangementStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type AccountArrangementStub = TypeOf<typeof AccountArrangementStub>

export const PostingInstructionStub = reference('PostingInstruction', {
  postingInstructionId: id(),
})
