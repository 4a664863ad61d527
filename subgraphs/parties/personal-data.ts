import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('parties', 'the identification of customers and the relationship with them', {
  'parties.party': {
    party: 'party_id',
    rule: 'due-diligence',
    personal: {
      given_name: 'identity',
      family_name: 'identity',
      organization_name: 'identity',
      date_of_birth: 'identity',
      died_on: 'identity',
      contact_points: { category: 'contact', erasedTo: "'[]'" },
      quiet_hours: { category: 'contact', rule: 'service' },
      restriction_reason: { category: 'communication', rule: 'service' },
    },
    other: 'language time_zone marketing_opt_out_channels suppressed_channels',
  },
  'parties.customer': {
    party: 'party_id',
    rule: 'due-diligence',
    personal: { status_reason: 'communication', kyc_reason: 'communication', segment: 'identity' },
  },
  'parties.agreement': {
    party: 'party_id',
    rule: 'contract',
    personal: { status_reason: 'communication' },
  },
  'parties.entitlement': {
    party: '$1 in (grantor_party_id, grantee_party_id)',
    rule: 'contract',
    personal: {},
    other: 'resource right',
  },
})
