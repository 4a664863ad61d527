import {
  type TypeOf,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
} from '../../../kernel/domain/model.ts'
import { ReasonCode } from './enumerations.ts'

export const Reason = shape('RoutingReason', 'One step of a routing decision.', {
  code: oneOf(ReasonCode, 'The finding of the step.'),
  subjects: list(
    id(),
    'The IDs of the routing profiles, queues or agents that the finding is about, at most 20.',
  ),
})
export type Reason = TypeOf<typeof Reason>

export const Decision = shape(
  'RoutingDecision',
  'The result of routing: the queue, the agent and the reasons for both.',
  {
    routingProfileId: id(
      'The ID of the routing profile that was applied; null if none matches.',
    ).orNull(),
    queueId: id(
      'The ID of the queue that was selected; null if no routing profile matches.',
    ).orNull(),
    priority: integer(
      'The priority of the queue entry, from 1 (highest) to 99; null if no queue was selected.',
    ).orNull(),
    agentId: id('The ID of the agent who receives the work; null if it waits.').orNull(),
    reevaluateAt: instant(
      "When the decision may change without any other event, because a queue's delay passes or " +
        'the routing profile opens; null if no such time is known.',
    ).orNull(),
    reasons: list(object(Reason), 'The steps of the decision, in order.'),
  },
)
export type Decision = TypeOf<typeof Decision>
