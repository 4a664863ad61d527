import { entity, id, type TypeOf } from '../../../kernel/domain/model.ts'

export const CustomerStub = entity('Customer', 'customerId', undefined, {
  customerId: id(),
})
export type CustomerStub = TypeOf<typeof CustomerStub>
