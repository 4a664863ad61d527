import { entity, id, label, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const AccountArrangementStub = entity('AccountArrangement', 'arrangementId', undefined, {
  arrangementId: id(),
})
export type AccountArrangementStub = TypeOf<typeof AccountArrangementStub>

export const ProductStub = reference('Product', {
  productId: id(),
  version: label(),
})
export type ProductStub = TypeOf<typeof ProductStub>

export const PostingInstructionStub = reference('PostingInstruction', {
  postingInstructionId: id(),
})
