import type { JsonWebKey } from 'node:crypto'
import type { PageKeys } from '../kernel/graph/page-token.ts'

/** An ES256 private key with its key ID. */
export type SigningJwk = JsonWebKey & {
  kid: string
  alg: 'ES256'
  use: 'sig'
  /** When the key begins to sign, in ISO 8601. Until then, it is only published. */
  activeFrom?: string
  /** The label of the key in the HSM, if the private key is there. */
  pkcs11Id?: string
}

/** A root secret, and when it began to be used; the first one has no time. */
export interface RootSecret {
  key: string
  activeFrom?: string
}

/** The secrets of one environment. */
export interface EnvironmentSecrets {
  clientId: string
  clientSecret: string
  /**
   * Keys for page tokens, 32 bytes each. The newest one encrypts from its time in `activeFrom` on,
   * in ISO 8601; the others only decrypt older page tokens.
   */
  pageKeys: PageKeys & { activeFrom?: Record<string, string> }
  /** The previous secret of the client, and until when it is accepted. */
  formerClientSecret?: { secret: string; until: string }
  signingJwk: SigningJwk
  /** Previous signing keys. Their tokens stay valid until they expire. */
  formerJwks?: SigningJwk[]
  /** The root secret, from which the other keys are derived. */
  cookieKey: string
  /** When the root secret begins to sign and encrypt. Until then, it is only accepted. */
  cookieKeyFrom?: string
  /** Previous root secrets, the newest one first. */
  formerCookieKeys?: RootSecret[]
  /** The secret of the passwords of sample people, after the first root secret was removed. */
  peopleKey?: string
  /** Users who log in on the environment's own login pages. */
  parties?: PartyLogin[]
}

/** A user of the sandbox who can log in. */
export interface PartyLogin {
  partyId: string
  username: string
  password: string
}

export interface Secrets {
  live: EnvironmentSecrets
  sandbox: EnvironmentSecrets & { parties: PartyLogin[] }
}
