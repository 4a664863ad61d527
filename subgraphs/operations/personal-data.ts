import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

const ownSql = 'SQL of its own writes or compares the column.'

declarePersonalData('operations', 'the operation of the systems', {
  'operations.clock_advance': null,
  'operations.oauth_client': {
    party: null,
    rule: 'scheduled',
    personal: {
      owner: { category: 'access', plain: ownSql },
      acts_for: { category: 'access', plain: ownSql },
      proposal: { category: 'access', plain: ownSql },
    },
    other: 'label scopes authentication jwks redirect_uris logo_uri backchannel_logout_uri',
  },
})
