import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('privacy', 'the rights of persons over their data', {
  'privacy.data_export': {
    party: 'party_id',
    employee: 'username',
    rule: 'claim',
    personal: {},
    other: 'username',
    internal: 'is_for_bank',
  },
  'privacy.erasure_line': {
    party:
      'erasure_request_id in ' +
      '(select erasure_request_id from privacy.erasure_request where party_id = $1)',
    rule: 'claim',
    personal: {},
    other: 'area table_name columns action reason',
    internal: 'true',
  },
  'privacy.erasure_request': {
    party: 'party_id',
    employee: 'username',
    rule: 'claim',
    personal: { reason: 'communication' },
    other: 'cause username',
    internal: 'true',
  },
  'privacy.relationship_end': null,
})
