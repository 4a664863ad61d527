import { Medium, AgentStatus } from './enumerations.ts'
import {
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  oneOf,
  shape,
  stored,
  string,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const AgentLoad = shape(
  'AgentLoad',
  'The number of interactions on one channel that an agent is handling.',
  {
    channel: oneOf(
      Medium,
      'The channel on which the interactions take place, such as `VOICE` or `CHAT`.',
    ),
    count: integer('The number of interactions the agent is handling; at least 1.'),
  },
)
export type AgentLoad = TypeOf<typeof AgentLoad>

export const Agent = entity(
  'Agent',
  'agentId',
  'A contact-center agent who handles interactions.',
  {
    agentId: id('The ID of the agent, such as `agt_…`.').inEvents(),
    name: string('The name of the agent.'),
    routingProfileId: id('The ID of the routing profile the agent works under.').inEvents(),
    skills: list(
      string(),
      "The agent's own skills, to which the skills of the routing profile are added.",
    ),
    languages: list(
      string(),
      'The languages the agent speaks, as BCP 47 tags. The languages of the routing profile are ' +
        'added to them.',
    ),
    status: oneOf(AgentStatus, 'Whether the agent is signed in and can receive work.').inEvents(),
    lastActivityAt: instant('When the agent last received or finished work or changed status.'),
    createdAt: instant('When the agent was created.'),
    /** The number of interactions that the agent is handling, per medium. */
    load: stored<Readonly<Partial<Record<Medium, number>>>>(),
    lastInboundAt: stored<Date>(),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type Agent = TypeOf<typeof Agent>

export const CreateAgentInput = input('CreateAgentInput', 'A new agent.', {
  agentId: id('The ID of the agent, chosen by the client. Generated if omitted.').orNull(),
  name: label('The name of the agent.'),
  routingProfileId: id(
    'The ID of the routing profile the agent works under. It must not be archived.',
  ),
  skills: list(label(), "The agent's own skills. Defaults to none.").orNull(),
  languages: list(
    label(),
    'The languages the agent speaks, as BCP 47 tags such as `en`. Defaults to none.',
  ).orNull(),
  status: label('The initial status, `offline` or `available`. Defaults to `offline`.').orNull(),
})
export type CreateAgentInput = TypeOf<typeof CreateAgentInput>

export const UpdateAgentInput = input(
  'UpdateAgentInput',
  'The complete new details of an agent. Omitted fields are reset to their defaults.',
  {
    agentId: id('The ID of the agent to update.'),
    name: label('The name of the agent.'),
    routingProfileId: id(
      'The ID of the routing profile the agent works under. It must not be archived.',
    ),
    skills: list(label(), "The agent's own skills. Defaults to none.").orNull(),
    languages: list(
      label(),
      'The languages the agent speaks, as BCP 47 tags such as `en`. Defaults to none.',
    ).orNull(),
  },
)
export type UpdateAgentInput = TypeOf<typeof UpdateAgentInput>

export const RelationshipManager = shape(
  'RelationshipManager',
  'The agent who looks after a party.',
  {
    agentId: id('The ID of the agent.'),
    name: string('The name of the agent.'),
  },
)
