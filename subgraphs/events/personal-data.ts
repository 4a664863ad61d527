import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('events', 'the delivery of events to the clients of the bank', {
  'events.subscription': null,
  'events.endpoint': null,
  'events.client': null,
  'events.delivery': null,
  // The body of a delivery is built from the event when it is sent, and is not stored.
  'events.attempt': {
    // Arrays, so that PostgreSQL uses the indexes however few rows it expects.
    party:
      'delivery_id = any(array(select d.delivery_id from events.delivery d ' +
      'where d.endpoint_id = any(array(select endpoint_id from events.endpoint)) ' +
      'and d.position = any(array(' +
      'select position from kernel.event_party where party_id = $1))))',
    rule: 'access',
    personal: {
      error: { category: 'access', plain: plainReasons.sql },
      response: { category: 'access', plain: plainReasons.sql },
    },
    omitted: 'The responses come from servers of clients of the bank.',
  },
})
