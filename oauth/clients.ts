import { createHash, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import type { AdapterPayload, Client } from 'oidc-provider'
import { realNow } from '../kernel/work/clock.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import { postLogoutRedirectUris } from './logout.ts'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import type { PublicJwks } from '../kernel/authorization/token-keys.ts'
import type { Person } from './people.ts'
import { certificateMethod } from './security-profile.ts'

/**
 * A client that is created when the environment starts. Without a `secret` it is a public client
 * (authorization code with PKCE).
 */
export interface SeededClient {
  clientId: string
  secret?: string
  /** The previous secret, and until when it is accepted. */
  formerSecret?: { secret: string; until: Date } | null
  label: string
  scopes: readonly string[]
  grantTypes: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[]
  redirectUris?: readonly string[]
  /** Whether this is an app of the bank itself, which needs no consent. */
  isFirstParty?: boolean
  /** The public keys of a client that authenticates with a signed assertion instead of a secret. */
  jwks?: PublicJwks
  /** Whether the tokens of the client must be bound to a key. */
  isKeyBound?: boolean
}

interface ClientRow {
  client_id: string
  /** The SHA-256 of the secret in Base64; null for a public client. */
  secret_hash: string | null
  former_hash: string | null
  former_until: string | null
  label: string
  scopes: string[]
  grant_types: string[]
  redirect_uris: string[]
  is_first_party: boolean
  jwks: PublicJwks | null
  is_key_bound: boolean
  disabled_at: string | null
}

/**
 * Creates or updates a client. A disabled client stays disabled. Throws an Error for an unknown
 * scope, and for a secret that is too short, or missing although the client needs one.
 */
export async function seedClient(pool: Pool, client: SeededClient, now: Date): Promise<void> {
  const unknownScopes = client.scopes.filter(
    (scope) => !everyScope.some((known) => known === scope),
  )
  if (unknownScopes.length > 0)
    throw new Error(`${client.clientId} has unknown scopes: ${unknownScopes}.`)
  const isPublic = client.secret === undefined && client.jwks === undefined
  if (isPublic && client.grantTypes.includes('client_credentials')) {
    throw new Error(`${client.clientId} needs a secret or a key for the client credentials grant.`)
  }
  if (client.secret !== undefined && client.secret.length < 32) {
    throw new Error(`The secret of ${client.clientId} is too short. Use 32 random bytes.`)
  }
  await pool.query(
    `insert into oauth.client
       (client_id, secret_hash, label, scopes, grant_types, redirect_uris, is_first_party, jwks,
        is_key_bound, created_at, former_hash, former_until)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
     on conflict (client_id) do update set
       secret_hash = excluded.secret_hash, label = excluded.label, scopes = excluded.scopes,
       grant_types = excluded.grant_types, redirect_uris = excluded.redirect_uris,
       is_first_party = excluded.is_first_party, jwks = excluded.jwks,
       is_key_bound = excluded.is_key_bound, former_hash = excluded.former_hash,
       former_until = excluded.former_until`,
    [
      client.clientId,
      client.secret === undefined ? null : hashSecret(client.secret),
      client.label,
      client.scopes,
      client.grantTypes,
      client.redirectUris ?? [],
      client.isFirstParty ?? false,
      client.jwks ? JSON.stringify(client.jwks) : null,
      client.isKeyBound ?? false,
      now,
      client.formerSecret ? hashSecret(client.formerSecret.secret) : null,
      client.formerSecret?.until ?? null,
    ],
  )
}

/**
 * A registered client, as the operations area publishes it in the fact `oauth-client/<id>`. Hashes
 * are in base64url.
 */
interface RegisteredClient {
  label: string
  scopes: string[]
  isDisabled: boolean
  secretHash: string | null
  jwks: PublicJwks | null
  isKeyBound: boolean
  redirectUris?: string[]
  logoUri: string | null
  backchannelLogoutUri: string | null
  formerHash: string | null
  formerUntil: string | null
}

/**
 * Finds an enabled client for oidc-provider, with the hashes of its secrets as its secret. In the
 * profile `fapi2`, other clients than those with a key or a certificate do not exist (FAPI 2.0,
 * section 5.3.2.1).
 */
export async function findClient(
  { pool, profile }: { pool: Pool; profile: SecurityProfile },
  id: string,
): Promise<AdapterPayload | undefined> {
  const client = await findEnabledClient(pool, id)
  if (profile !== 'fapi2' || !client) return client
  const method = client['token_endpoint_auth_method']
  const isCertified = method === certificateMethod
  if (method !== 'private_key_jwt' && !isCertified) return undefined
  return {
    ...client,
    dpop_bound_access_tokens: !isCertified,
    require_pushed_authorization_requests: true,
  }
}

async function findEnabledClient(pool: Pool, id: string): Promise<AdapterPayload | undefined> {
  // PostgreSQL rejects NUL in text, so IDs that cannot exist are not looked up.
  if (!/^[!-~]{1,200}$/.test(id)) return undefined
  const { rows } = await pool.query<{
    seeded: ClientRow | null
    registered: RegisteredClient | null
  }>({
    name: 'oauth-find-client',
    text: `select
        (select to_json(c) from (select client_id, encode(secret_hash, 'base64') as secret_hash,
            encode(former_hash, 'base64') as former_hash, former_until, label,
            scopes, grant_types, redirect_uris, is_first_party, jwks, is_key_bound, disabled_at
          from oauth.client where client_id = $1) c) as seeded,
        (select data from kernel.fact where subject = 'oauth-client/' || $1) as registered`,
    values: [id],
  })
  const { seeded, registered } = rows[0]!
  if (seeded) return seeded.disabled_at === null ? seededClient(seeded) : undefined
  return registered && !registered.isDisabled && !isUnauthenticated(registered)
    ? registeredClient(id, registered)
    : undefined
}

/** Whether a client would act for itself without authentication. */
const isUnauthenticated = ({ redirectUris = [], secretHash, jwks }: RegisteredClient): boolean =>
  redirectUris.length === 0 && secretHash === null && !jwks

function seededClient(row: ClientRow): AdapterPayload {
  return {
    client_id: row.client_id,
    client_name: row.label,
    grant_types: row.grant_types,
    response_types: row.grant_types.includes('authorization_code') ? ['code'] : [],
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: postLogoutRedirectUris(row.redirect_uris),
    response_modes: ['query'],
    bank_scopes: row.scopes.join(' '),
    is_first_party: row.is_first_party,
    dpop_bound_access_tokens: row.is_key_bound,
    ...authenticationOf(
      row.jwks,
      acceptedHashes(row.secret_hash, row.former_hash, row.former_until),
    ),
  }
}

/**
 * Returns the settings of an app, in which people log in, or of a client that acts for itself. Facts
 * that were published before there were apps have no redirect URIs.
 */
function appOf({
  redirectUris = [],
  logoUri,
  backchannelLogoutUri,
}: RegisteredClient): Partial<AdapterPayload> {
  if (redirectUris.length === 0) {
    return { grant_types: ['client_credentials'], response_types: [], redirect_uris: [] }
  }
  return {
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: redirectUris,
    post_logout_redirect_uris: postLogoutRedirectUris(redirectUris),
    response_modes: ['query'],
    ...(logoUri && { logo_uri: logoUri }),
    ...(backchannelLogoutUri && {
      backchannel_logout_uri: backchannelLogoutUri,
      backchannel_logout_session_required: true,
    }),
  }
}

/**
 * Returns how a client authenticates: with its certificate or its key, else with its secret, else not
 * at all.
 */
function authenticationOf(
  jwks: PublicJwks | null,
  secretHashes: string | null,
): Partial<AdapterPayload> {
  if (jwks) {
    const isCertified = jwks.keys.every((key) => 'x5c' in key)
    return {
      jwks: { keys: [...jwks.keys] },
      token_endpoint_auth_method: isCertified ? certificateMethod : 'private_key_jwt',
      ...(isCertified && { tls_client_certificate_bound_access_tokens: true }),
    }
  }
  return secretHashes === null
    ? { token_endpoint_auth_method: 'none' }
    : { client_secret: secretHashes, token_endpoint_auth_method: 'client_secret_basic' }
}

/** Returns the hashes of the secrets that a client may use now, separated by blanks. */
function acceptedHashes(
  hash: string | null,
  formerHash: string | null,
  formerUntil: string | null,
): string | null {
  const isFormerValid =
    formerHash !== null && formerUntil !== null && realNow() < new Date(formerUntil)
  return isFormerValid ? `${hash} ${formerHash}` : hash
}

function registeredClient(id: string, client: RegisteredClient): AdapterPayload {
  const { label, scopes, secretHash, formerHash, formerUntil, jwks } = client
  return {
    client_id: id,
    client_name: label,
    ...appOf(client),
    bank_scopes: scopes.join(' '),
    is_first_party: false,
    dpop_bound_access_tokens: client.isKeyBound ?? false,
    ...authenticationOf(jwks ?? null, acceptedHashes(secretHash, formerHash, formerUntil)),
  }
}

/** Returns whether the secret matches one of the stored hashes. Compares in constant time. */
export function isSecretOf(storedHashes: string | undefined, secret: string): boolean {
  if (!storedHashes) return false
  const hash = hashSecret(secret)
  const comparisons = storedHashes
    .split(' ')
    .map((stored) => timingSafeEqual(Buffer.from(stored, 'base64'), hash))
  return comparisons.includes(true)
}

/**
 * Hashes a secret. SHA-256 is enough for 32 random bytes; only passwords that people choose need
 * scrypt.
 */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Whether the client is an app of the bank itself. */
export const isFirstParty = (client: Client): boolean => client['is_first_party'] === true

/**
 * Whether a user may use a client. Employees use only apps of the bank: in any other app, they would
 * give it access to the data of all customers.
 */
export const mayUse = (client: Client | undefined, { employee }: Person): boolean =>
  employee === null || client === undefined || isFirstParty(client)
