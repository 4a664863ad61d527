import { entity, id, reference, type TypeOf } from '../../../kernel/domain/model.ts'

export const Party = entity('Party', 'partyId', undefined, {
  partyId: id(),
})
export type Party = TypeOf<typeof Party>

export const AgentStub = reference('Agent', {
  agentId: id(),
})
export type AgentStub = TypeOf<typeof AgentStub>

export const RoutingQueueStub = reference('RoutingQueue', {
  queueId: id(),
})
export type RoutingQueueStub = TypeOf<typeof RoutingQueueStub>
