import {
  bigInt,
  boolean,
  id,
  input,
  integer,
  list,
  object,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'

export const RegisterWebhookEndpointInput = input(
  'RegisterWebhookEndpointInput',
  'The webhook endpoint to register.',
  {
    endpointId: id(
      'The ID of the new endpoint; generated if omitted. A repeated request with the same ID and ' +
        'content returns the existing endpoint without its secret.',
    ).orNull(),
    url: text(
      'The public HTTPS URL to which events are sent, at most 2,000 characters. The sandbox ' +
        'also accepts HTTP.',
    ),
    description: text('A description of the endpoint.').orNull(),
  },
)
export type RegisterWebhookEndpointInput = TypeOf<typeof RegisterWebhookEndpointInput>

export const RotateWebhookSecretInput = input(
  'RotateWebhookSecretInput',
  'The rotation of the signing secret of a webhook endpoint.',
  {
    endpointId: id('The ID of the endpoint.'),
    overlapHours: integer(
      'How long the previous secret continues to sign messages alongside the new one, in hours, ' +
        'from 0 to 168. Defaults to 24.',
    ).orNull(),
  },
)
export type RotateWebhookSecretInput = TypeOf<typeof RotateWebhookSecretInput>

export const PositionRangeInput = input(
  'PositionRangeInput',
  'A range of positions in the event log.',
  {
    after: bigInt('The position after which the range starts.'),
    upTo: bigInt(
      'The position of the last event of the range. Defaults to the end of the log.',
    ).orNull(),
  },
)
export type PositionRangeInput = TypeOf<typeof PositionRangeInput>

export const ReplayWebhookDeliveriesInput = input(
  'ReplayWebhookDeliveriesInput',
  'The events to replay, selected by exactly one of `eventIds`, `range` and `allFailed`.',
  {
    endpointId: id('The ID of the active endpoint to which the events are sent.'),
    eventIds: list(id(), 'The IDs of the events to replay, from 1 to 1,000.').orNull(),
    range: object(PositionRangeInput, 'The range of the event log to replay.').orNull(),
    allFailed: boolean('Whether to replay all dead-lettered deliveries of the endpoint.').orNull(),
  },
)
export type ReplayWebhookDeliveriesInput = TypeOf<typeof ReplayWebhookDeliveriesInput>
