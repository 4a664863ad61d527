import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

const isIndex = 'The column contains keyed hashes, which SQL compares.'

declarePersonalData('parties', 'the identification of customers and the relationship with them', {
  'parties.party': {
    party: 'party_id',
    rule: 'due-diligence',
    personal: {
      given_name: { category: 'identity', index: 'prefixes' },
      family_name: { category: 'identity', index: 'prefixes' },
      organization_name: { category: 'identity', index: 'prefixes' },
      date_of_birth: { category: 'identity', plain: plainReasons.date },
      died_on: { category: 'identity', plain: plainReasons.date },
      contact_points: { category: 'contact', erasedTo: "'[]'", index: 'addresses' },
      given_name_index: { category: 'identity', plain: isIndex },
      family_name_index: { category: 'identity', plain: isIndex },
      organization_name_index: { category: 'identity', plain: isIndex },
      contact_points_index: { category: 'contact', plain: isIndex },
      quiet_hours: { category: 'contact', rule: 'service' },
      restriction_reason: { category: 'communication', rule: 'service' },
    },
    hidden: 'given_name_index family_name_index organization_name_index contact_points_index',
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
    other: 'resource right removal_proposed_by',
  },
})
