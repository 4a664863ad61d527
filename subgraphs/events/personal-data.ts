import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

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
      error: { category: 'access', plain: plainReasons.sql },
      response: { category: 'access', plain: plainReasons.sql },
    },
    omitted: 'The responses come from servers of clients of the bank.',
  },
})
