import { declarePersonalData, plainReasons } from '../../kernel/domain/personal-data.ts'

declarePersonalData('operations', 'the operation of the systems', {
  'operations.clock_advance': null,
  'operations.oauth_client': {
    party: null,
    employee: 'owner = $1 or $1 = any(acts_for)',
    rule: 'audit',
    personal: {
      owner: { category: 'access', plain: plainReasons.sql },
      acts_for: { category: 'access', plain: plainReasons.sql },
      proposal: { category: 'access', plain: plainReasons.sql },
    },
    other: 'label scopes authentication jwks redirect_uris logo_uri backchannel_logout_uri',
    hidden: 'secret_hash former_hash jwks acts_for',
  },
})
