import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType()
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string
}

@ObjectType('Agent')
@Directive('@key(fields: "agentId", resolvable: false)')
export class AgentStub {
  @Field(() => ID)
  agentId: string
}

@ObjectType('RoutingQueue')
@Directive('@key(fields: "queueId", resolvable: false)')
export class RoutingQueueStub {
  @Field(() => ID)
  queueId: string
}
