import { id, instant, label, list, shape, string } from '../../../kernel/domain/model.ts'

export const ConnectedApp = shape(
  'ConnectedApp',
  'An app that acts for a person, who allowed it on the consent page of the bank.',
  {
    grantId: id('The ID of the grant: the `grant_id` claim of the tokens of the app.'),
    clientId: id('The ID of the OAuth client of the app.'),
    label: label('The display name of the app.'),
    logoUri: string('The URL of the logo of the app; null if it has none.').orNull(),
    scopes: list(string(), 'The scopes that the person granted.'),
    permissions: list(
      string(),
      'What the scopes allow the app to do, in the words of the consent page.',
    ),
    connectedAt: instant('When the person allowed the app, in UTC.'),
    expiresAt: instant('When the app has to ask the person again, in UTC.'),
  },
)

export const LogInSession = shape(
  'LogInSession',
  'A session of a browser in which a person is logged in at the bank.',
  {
    sessionId: id('The ID of the session.'),
    userAgent: string(
      'How the browser named itself at the login (`User-Agent`); null if it is not recorded.',
    ).orNull(),
    address: string(
      'The IP address of the login, of IPv6 addresses the first 64 bits; null if it is not recorded.',
    ).orNull(),
    loggedInAt: instant('When the person logged in, in UTC.'),
    expiresAt: instant('When the session ends, in UTC.'),
  },
)
