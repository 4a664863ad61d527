/** An app that acts for a person. */
export interface ConnectedApp {
  /** The ID of the grant, which is also in the tokens of the app. */
  grantId: string
  clientId: string
  label: string
  logoUri: string | null
  scopes: readonly string[]
  /** What the scopes allow, in the words of the consent page. */
  permissions: readonly string[]
  connectedAt: Date
  expiresAt: Date
}

/** A session of a browser in which a person is logged in. */
export interface LogInSession {
  sessionId: string
  /** The browser as it names itself, and its IP address; null if the audit has none. */
  userAgent: string | null
  address: string | null
  loggedInAt: Date
  expiresAt: Date
}

/** The log-ins of people at the authorization server, which stores them. */
export interface LogIns {
  /** Returns the apps that act for a user, the latest connection first. */
  appsOf(username: string): Promise<readonly ConnectedApp[]>
  /** Returns the sessions of a user, the latest login first. */
  sessionsOf(username: string): Promise<readonly LogInSession[]>
}
