import { declarePersonalData, plainReasons } from '../kernel/domain/personal-data.ts'

const namesOf = 'select username from oauth.person where party_id = $1'

declarePersonalData('oauth', 'log-in and the apps that act for a person', {
  'oauth.client': null,
  'oauth.failed_attempt': null,
  'oauth.record': {
    party: `payload ->> 'accountId' = any(array(${namesOf}) || $1::text)`,
    employee: "payload ->> 'accountId' = $1",
    rule: 'access',
    personal: {
      payload: { category: 'access', plain: plainReasons.sql },
      id: { category: 'access', plain: plainReasons.sql },
    },
    other: 'model uid',
    isDeleted: true,
    omitted: 'The rows are tokens and sessions, which expire.',
  },
  'oauth.passkey': {
    party: `username in (${namesOf})`,
    employee: 'username',
    rule: 'access',
    personal: {
      username: { category: 'access', plain: plainReasons.sql },
      label: { category: 'access', plain: plainReasons.sql },
      transports: { category: 'access', plain: plainReasons.sql },
      user_handle: { category: 'access', plain: plainReasons.sql },
    },
    hidden: 'public_key user_handle',
    isDeleted: true,
  },
  'oauth.passkey_challenge': null,
  'oauth.person': {
    party: 'party_id',
    employee: 'username = $1 and party_id is null',
    rule: 'access',
    personal: { username: { category: 'access', plain: plainReasons.sql } },
    hidden: 'password_hash used_code_hash',
    isDeleted: true,
  },
})
