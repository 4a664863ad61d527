import { entity, id, type TypeOf } from '../../../kernel/domain/model.ts'

export const Party = entity('Party', 'partyId', undefined, {
  partyId: id(),
})
export type Party = TypeOf<typeof Party>
