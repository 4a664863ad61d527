import { entity, id, label, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const Customer = entity(
  'Customer',
  'customerId',
  'A party in its role as a customer of the bank.',
  {
    customerId: id(),
  },
)
export type Customer = TypeOf<typeof Customer>

export const Party = entity(
  'Party',
  'partyId',
  'A person or an organization that the bank knows.',
  {
    partyId: id(),
  },
)
export type Party = TypeOf<typeof Party>

export const ProductStub = reference('Product', {
  productId: id(),
  version: label(),
})
export type ProductStub = TypeOf<typeof ProductStub>
