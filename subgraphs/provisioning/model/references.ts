import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const FacilityStub = entity('Facility', 'facilityId', undefined, { facilityId: id() })
export type FacilityStub = TypeOf<typeof FacilityStub>

export const PostingInstructionStub = reference('PostingInstruction', {
  postingInstructionId: id(),
})
