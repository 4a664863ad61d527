import { enumeration, id, instant, integer, oneOf, shape, string, type TypeOf } from './model.ts'

export const IdentityRecordKind = enumeration(
  'IdentityRecordKind',
  'What a record of the audit of identity reports.',
  {
    'log-in': 'A person logged in or tried to log in.',
    'log-out': 'A person ended a session.',
    consent: 'A person decided whether a client may act for them.',
    authorization: 'A client got an authorization code for a person who was logged in.',
    'client-authentication': 'A client sent a wrong secret.',
    'token-issuance': 'A client requested an access token.',
    'token-revocation': 'A token, or all tokens of a client or a person, were revoked.',
    'grant-revocation': 'A grant, which is also the consent of a person, was revoked.',
    'password-change': 'A person set a password with a one-time code or tried to.',
    'passkey-registration': 'A person registered a passkey.',
    'passkey-removal': 'A person removed a passkey.',
    approval: 'A person approved an operation with a passkey or tried to.',
    'signing-key-rotation': 'The authorization server started with a new key for tokens.',
    'log-in-code-request': 'A one-time code for an employee was requested.',
    'log-in-code-issuance': 'A one-time code for an employee was issued.',
    'employee-hiring': 'An employee was hired.',
    'role-proposal': 'Roles of an employee were proposed.',
    'role-approval': 'Roles of an employee were approved.',
    'role-rejection': 'The proposed roles of an employee were rejected.',
    'role-removal': 'Roles of an employee were removed.',
    'employee-suspension': 'An employee was suspended.',
    'employee-reinstatement': 'The end of the suspension of an employee was proposed.',
    'employee-departure': 'An employee left the bank.',
    'client-registration': 'An OAuth client was registered.',
    'client-change': 'An OAuth client was changed.',
    'client-rights-proposal': 'Rights of an OAuth client were proposed.',
    'client-rights-approval': 'Rights of an OAuth client were approved.',
    'client-rights-rejection': 'The proposed rights of an OAuth client were rejected.',
    'client-secret-rotation': 'The secret or the keys of an OAuth client were replaced.',
    'client-disabling': 'An OAuth client was disabled.',
    'client-enabling': 'A disabled OAuth client was enabled.',
  },
)
export type IdentityRecordKind = TypeOf<typeof IdentityRecordKind>

export const IdentityOutcome = enumeration(
  'IdentityOutcome',
  'The outcome that a record of the audit of identity reports.',
  {
    succeeded: 'The action took effect.',
    failed: 'The credentials or the request were wrong.',
    denied: 'The person denied the request, or may not use the client.',
    throttled: 'The attempt was rejected because of too many failures before it.',
  },
)
export type IdentityOutcome = TypeOf<typeof IdentityOutcome>

export const IdentityRecord = shape(
  'IdentityRecord',
  'A record of the audit of identity: who logged in, got or lost access, and with what outcome. ' +
    'It contains no password, code, token or other secret. Five years after the action, `person`, ' +
    '`actor`, `address`, `userAgent` and `detail` are erased.',
  {
    recordId: id('The ID of the record.').inEvents(),
    kind: oneOf(IdentityRecordKind, 'What the record reports.').inEvents(),
    outcome: oneOf(IdentityOutcome, 'The outcome.').inEvents(),
    person: string(
      'The username of the person concerned; null if no person is concerned or known. A username ' +
        'that does not exist is not recorded, because it could be a mistyped password.',
    )
      .orNull()
      .inEvents(),
    partyId: id('The ID of the party for which the person acts; null for employees.')
      .orNull()
      .inEvents(),
    clientId: string('The ID of the OAuth client concerned; null if none is.').orNull().inEvents(),
    actor: string(
      'Who acted: the username of a person or the ID of a client; null if the caller was not ' +
        'authenticated.',
    )
      .orNull()
      .inEvents(),
    address: string(
      'The IP address of the caller, of IPv6 addresses the first 64 bits; null if the action was ' +
        'an operation of the graph.',
    )
      .orNull()
      .inEvents(),
    userAgent: string('The first 160 characters of the `User-Agent` header; null if none was sent.')
      .orNull()
      .inEvents(),
    grantId: string('The ID of the grant concerned; null if none is.').orNull().inEvents(),
    acr: string(
      'The authentication context class with which the person logged in; null if the log-in had ' +
        'none.',
    )
      .orNull()
      .inEvents(),
    detail: string(
      'What was concerned in particular, by `kind`: the grant type or the error of a token ' +
        'request, the scopes of a consent, the current and the proposed roles of an employee, what ' +
        'was revoked, or the ID of a signing key.',
    )
      .orNull()
      .inEvents(),
    count: integer(
      'How many occurrences the record stands for. Repeated failures, and repeated tokens of a ' +
        'client, are counted: the first is recorded immediately, the others in one record.',
    ).inEvents(),
    requestId: string('The `X-Request-Id` of the request; null if there was none.')
      .orNull()
      .inEvents(),
    eventId: id(
      'The ID of the event from which the record was derived; null if the authorization server ' +
        'wrote the record.',
    )
      .orNull()
      .inEvents(),
    at: instant('When it happened, in real time and UTC.').inEvents(),
  },
)
export type IdentityRecord = TypeOf<typeof IdentityRecord>

/** The members of a record that name people. They are erased when its retention ends. */
export const personalMembers = ['person', 'actor', 'address', 'userAgent', 'detail'] as const
