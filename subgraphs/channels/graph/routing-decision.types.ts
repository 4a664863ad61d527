import { Field, ID, Int, ObjectType } from 'type-graphql'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import {
  directions,
  reasonCodes,
  type Decision,
  type Reason,
  type ReasonCode,
} from '../domain/routing.ts'

export const DirectionEnum = wireEnum(
  'InteractionDirection',
  directions,
  'Whether the customer or the bank started an interaction.',
  { inbound: 'The customer contacted the bank.', outbound: 'The bank contacted the customer.' },
)

const ReasonCodeEnum = wireEnum(
  'RoutingReasonCode',
  reasonCodes,
  'The finding of one step of a routing decision.',
  {
    'profile-asked-for': 'The request specified the routing profile to use.',
    'profile-fits':
      "The routing profile matches best by the party's relationship manager, the segment and " +
      'the language.',
    'no-profile-fits': 'No active routing profile serves the channel and the segment.',
    'profile-not-active': 'The routing profile is not active.',
    'outside-hours': 'The routing profile is outside its opening hours.',
    'channel-not-served': 'The routing profile has no queue for the channel.',
    'nobody-staffed': 'No available agent serves the queue.',
    'falls-back': 'Routing continued with the fallback profile.',
    'waits-in-first-profile':
      'No fallback profile could take the work. The work waits in the queue of the first profile ' +
      'that has a queue for it.',
    'queue-chosen': 'The queue was selected for the work.',
    'not-before-delay': "The agents were skipped because the queue entry's delay has not passed.",
    'lacks-skill': 'The agents were skipped because they lack a required skill.',
    'lacks-language': 'The agents were skipped because they do not speak the required language.',
    'medium-not-handled':
      'The agents were skipped because their profile does not handle the channel.',
    'at-capacity':
      'The agents were skipped because they have reached their concurrency limit for the channel.',
    'busy-elsewhere':
      'The agents were skipped because they are working on a channel that excludes other channels.',
    'relationship-manager': "The agent was selected as the party's relationship manager.",
    'deputy-relationship-manager':
      "The agent was selected as one of the routing profile's relationship managers.",
    'first-priority':
      "The agent was selected as the only candidate, or because the agent's routing profile " +
      'gives the queue the highest priority.',
    'longest-idle': 'The agent was selected because they have been idle longest.',
    'nobody-free':
      "None of the queue's available agents can take the work now. The work waits in the queue.",
  },
)

@ObjectType('RoutingReason', { description: 'One step of a routing decision.' })
class ReasonType implements Reason {
  @Field(() => ReasonCodeEnum, { description: 'The finding of the step.' })
  code: ReasonCode

  @Field(() => [ID], {
    description:
      'The IDs of the routing profiles, queues or agents that the finding is about, at most 20.',
  })
  subjects: readonly string[]
}

@ObjectType({
  description: 'The result of routing: the queue, the agent and the reasons for both.',
})
export class RoutingDecision implements Decision {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the routing profile that was applied; null if none matches.',
  })
  routingProfileId: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the queue that was selected; null if no routing profile matches.',
  })
  queueId: string | null

  @Field(() => Int, {
    nullable: true,
    description:
      'The priority of the queue entry, from 1 (highest) to 99; null if no queue was selected.',
  })
  priority: number | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the agent who receives the work; null if it waits.',
  })
  agentId: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description:
      "When the decision may change without any other event, because a queue's delay passes or " +
      'the routing profile opens; null if no such time is known.',
  })
  reevaluateAt: Date | null

  @Field(() => [ReasonType], { description: 'The steps of the decision, in order.' })
  reasons: readonly Reason[]
}
