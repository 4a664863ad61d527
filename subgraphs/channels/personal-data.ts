import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('channels', 'contact between customers and the bank', {
  'channels.channel': null,
  'channels.queue': null,
  'channels.routing_profile': null,
  'channels.agent': {
    party: null,
    rule: 'scheduled',
    personal: { name: { category: 'identity', plain: plainReasons.sql } },
    other: 'skills languages load',
  },
  'channels.relationship': { party: 'party_id', rule: 'service', personal: {} },
  'channels.interaction': {
    party: 'party_id',
    rule: 'service',
    personal: { subject: 'communication', notes: 'communication', segment: 'identity' },
    other: 'channel direction language skills decision',
    internalColumns: 'notes decision agent_id',
  },
})
