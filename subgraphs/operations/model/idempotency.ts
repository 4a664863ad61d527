import { id, instant, shape, string, type TypeOf } from '../../../kernel/domain/model.ts'

export const IdempotencyRecord = shape(
  'IdempotencyRecord',
  'The record of a request that was made with an idempotency key. It is kept for 30 days, or ' +
    'permanently if the request moved money.',
  {
    key: string('The idempotency key.'),
    operation: string('The name of the mutation that used the key.'),
    resourceId: id(
      'The ID of the record that the mutation created or changed; null if there is none.',
    ).orNull(),
    createdAt: instant(
      'When the request was processed, in UTC. This is real time, even if the clock of the ' +
        'sandbox was moved.',
    ),
  },
)
export type IdempotencyRecord = TypeOf<typeof IdempotencyRecord>
