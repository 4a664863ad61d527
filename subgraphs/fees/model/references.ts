import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const AccountArrangementStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type AccountArrangementStub = TypeOf<typeof AccountArrangementStub>

export const PostingInstructionStub = reference('PostingInstruction', {
  postingInstructionId: id(),
})
