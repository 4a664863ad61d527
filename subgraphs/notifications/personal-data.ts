import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('notifications', 'messages to customers', {
  'notifications.template': null,
  'notifications.delivery_report': null,
  'notifications.mail': {
    party: 'party_id',
    rule: 'service',
    personal: { address: 'contact', subject: 'communication', body: 'communication' },
    other: 'channel',
    isDeleted: true,
  },
  'notifications.notification': {
    party: 'party_id',
    rule: 'service',
    personal: {
      subject: 'communication',
      personalization: 'communication',
      rendered_subject: 'communication',
      rendered_body: 'communication',
      failure_reason: 'communication',
      attempts: { category: 'communication', erasedTo: "'[]'" },
    },
    other: 'channel category language suppression_reason provider',
  },
})
