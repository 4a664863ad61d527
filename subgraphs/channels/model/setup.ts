import { OpeningHours, OpeningHoursInput } from './opening-hours.ts'
import { Medium, ChannelStatus } from './enumerations.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import {
  entity,
  id,
  input,
  instant,
  label,
  list,
  object,
  oneOf,
  stored,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const Channel = entity(
  'Channel',
  'channelId',
  'A registered channel through which customers reach the bank, such as a phone line or an app.',
  {
    channelId: id('The ID of the channel, such as `chn_…`.').inEvents(),
    name: string('The name of the channel.').inEvents(),
    medium: oneOf(
      Medium,
      'The kind of contact for which the channel is used, such as `VOICE`, `CHAT` or `EMAIL`.',
    ).inEvents(),
    capabilities: list(
      string(),
      'What customers can do over the channel, such as `identify`, `sign` or `pay`. The values ' +
        'are defined by the bank.',
    ),
    hours: object(OpeningHours, 'The opening hours; null if the channel is always open.').orNull(),
    status: oneOf(ChannelStatus, 'Whether the channel is in use.').inEvents(),
    createdAt: instant('When the channel was created.'),
    updatedAt: instant('When the channel was last changed.'),
    contentHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Channel = TypeOf<typeof Channel>

export const channelStates = stateMachine(Channel, 'status', {
  activateChannel: {
    description: 'Activates an inactive channel.',
    scope: 'routing:write',
    from: ['inactive'],
    to: 'active',
    event: ['channels.channel.activated', 'An inactive channel was activated.'],
  },
  deactivateChannel: {
    description: 'Closes a channel until it is activated again.',
    scope: 'routing:write',
    from: ['active'],
    to: 'inactive',
    event: ['channels.channel.deactivated', 'A channel was deactivated.'],
  },
})

export const UpdateChannelInput = input(
  'UpdateChannelInput',
  'The complete new details of a channel. Omitted fields are reset to their defaults.',
  {
    channelId: id('The ID of the channel to update.'),
    name: label('The name of the channel.'),
    capabilities: list(
      label(),
      'What customers can do over the channel, such as `identify`, `sign` or `pay`. Defaults to ' +
        'none.',
    ).orNull(),
    hours: object(
      OpeningHoursInput,
      'The opening hours. If omitted, the channel is always open.',
    ).orNull(),
  },
)
export type UpdateChannelInput = TypeOf<typeof UpdateChannelInput>

export const CreateChannelInput = input('CreateChannelInput', 'A new channel.', {
  channelId: id('The ID of the channel, chosen by the client. Generated if omitted.').orNull(),
  name: label('The name of the channel.'),
  medium: oneOf(
    Medium,
    'The kind of contact for which the channel is used, such as `VOICE`, `CHAT` or `EMAIL`.',
  ),
  capabilities: list(
    label(),
    'What customers can do over the channel, such as `identify`, `sign` or `pay`. Defaults to ' +
      'none.',
  ).orNull(),
  hours: object(
    OpeningHoursInput,
    'The opening hours. If omitted, the channel is always open.',
  ).orNull(),
  status: label('The initial status, `active` or `inactive`. Defaults to `active`.').orNull(),
})
export type CreateChannelInput = TypeOf<typeof CreateChannelInput>

export const RoutingQueue = entity(
  'RoutingQueue',
  'queueId',
  'A queue in which contacts and tasks wait for an agent.',
  {
    queueId: id('The ID of the queue, such as `que_…`.').inEvents(),
    name: string('The name of the queue.').inEvents(),
    description: string('The purpose of the queue; null if none was given.').orNull(),
    createdAt: instant('When the queue was created.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type RoutingQueue = TypeOf<typeof RoutingQueue>

export const CreateRoutingQueueInput = input('CreateRoutingQueueInput', 'A new queue.', {
  queueId: id('The ID of the queue, chosen by the client. Generated if omitted.').orNull(),
  name: label('The name of the queue.'),
  description: text('The purpose of the queue.').orNull(),
})
export type CreateRoutingQueueInput = TypeOf<typeof CreateRoutingQueueInput>
