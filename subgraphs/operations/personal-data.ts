import { declarePersonalData } from '../../kernel/domain/personal-data.ts'

declarePersonalData('operations', 'the operation of the systems', {
  'operations.clock_advance': null,
  'operations.oauth_client': {
    party: null,
    rule: 'scheduled',
    personal: { owner: 'access', acts_for: 'access', proposal: 'access' },
    other: 'label scopes authentication jwks redirect_uris logo_uri backchannel_logout_uri',
  },
})
