import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

const ownSql = 'SQL of its own writes or compares the column.'

declarePersonalData('events', 'the delivery of events to the clients of the bank', {
  'events.subscription': null,
  'events.endpoint': null,
  'events.client': null,
  'events.delivery': null,
  // The body of a delivery is built from the event when it is sent, and is not stored.
  'events.attempt': {
    party:
      'delivery_id in (select d.delivery_id from events.delivery d ' +
      'join kernel.event e using (event_id) where e.parties @> array[$1::text])',
    rule: 'access',
    personal: {
      error: { category: 'access', plain: ownSql },
      response: { category: 'access', plain: ownSql },
    },
    omitted: 'The responses come from servers of clients of the bank.',
  },
})
