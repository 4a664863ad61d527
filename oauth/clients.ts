import { createHash, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import type { AdapterPayload, Client } from 'oidc-provider'
import { realNow } from '../kernel/work/clock.ts'
import { everyScope } from '../kernel/domain/scopes.ts'
import { postLogoutRedirectUris } from './logout.ts'
import type { Person } from './people.ts'

/**
 * A client that is created when the environment starts. Without a `secret` it is a public client
 * (authorization code with PKCE).
 */
export interface SeededClient {
  clientId: string
  secret?: string
  label: string
  scopes: readonly string[]
  grantTypes: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[]
  redirectUris?: readonly string[]
  /** Whether this is an app of the bank itself, which needs no consent. */
  isFirstParty?: boolean
}

interface ClientRow {
  client_id: string
  /** The SHA-256 of the secret in Base64; null for a public client. */
  secret_hash: string | null
  label: string
  scopes: string[]
  grant_types: string[]
  redirect_uris: string[]
  is_first_party: boolean
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
  if (client.secret === undefined && client.grantTypes.includes('client_credentials')) {
    throw new Error(`${client.clientId} needs a secret for the client credentials grant.`)
  }
  if (client.secret !== undefined && client.secret.length < 32) {
    throw new Error(`The secret of ${client.clientId} is too short. Use 32 random bytes.`)
  }
  await pool.query(
    `insert into oauth.client
       (client_id, secret_hash, label, scopes, grant_types, redirect_uris, is_first_party, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8)
     on conflict (client_id) do update set
       secret_hash = excluded.secret_hash, label = excluded.label, scopes = excluded.scopes,
       grant_types = excluded.grant_types, redirect_uris = excluded.redirect_uris,
       is_first_party = excluded.is_first_party`,
    [
      client.clientId,
      client.secret === undefined ? null : hashSecret(client.secret),
      client.label,
      client.scopes,
      client.grantTypes,
      client.redirectUris ?? [],
      client.isFirstParty ?? false,
      now,
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
  secretHash: string
  formerHash: string | null
  formerUntil: string | null
}

/** Finds an enabled client for oidc-provider, with the hashes of its secrets as its secret. */
export async function findClient(pool: Pool, id: string): Promise<AdapterPayload | undefined> {
  // PostgreSQL rejects NUL in text, so IDs that cannot exist are not looked up.
  if (!/^[!-~]{1,200}$/.test(id)) return undefined
  const { rows } = await pool.query<{
    seeded: ClientRow | null
    registered: RegisteredClient | null
  }>({
    name: 'oauth-find-client',
    text: `select
        (select to_json(c) from (select client_id, encode(secret_hash, 'base64') as secret_hash, label,
            scopes, grant_types, redirect_uris, is_first_party, disabled_at
          from oauth.client where client_id = $1) c) as seeded,
        (select data from kernel.fact where subject = 'oauth-client/' || $1) as registered`,
    values: [id],
  })
  const { seeded, registered } = rows[0]!
  if (seeded) return seeded.disabled_at === null ? seededClient(seeded) : undefined
  return registered && !registered.isDisabled ? registeredClient(id, registered) : undefined
}

function seededClient(row: ClientRow): AdapterPayload {
  return {
    client_id: row.client_id,
    client_name: row.label,
    grant_types: row.grant_types,
    response_types: row.grant_types.includes('authorization_code') ? ['code'] : [],
    redirect_uris: row.redirect_uris,
    post_logout_redirect_uris: postLogoutRedirectUris(row.redirect_uris),
    bank_scopes: row.scopes.join(' '),
    is_first_party: row.is_first_party,
    ...(row.secret_hash
      ? { client_secret: row.secret_hash, token_endpoint_auth_method: 'client_secret_basic' }
      : { token_endpoint_auth_method: 'none' }),
  }
}

function registeredClient(id: string, client: RegisteredClient): AdapterPayload {
  const { label, scopes, secretHash, formerHash, formerUntil } = client
  const isFormerValid =
    formerHash !== null && formerUntil !== null && realNow() < new Date(formerUntil)
  return {
    client_id: id,
    client_name: label,
    grant_types: ['client_credentials'],
    response_types: [],
    redirect_uris: [],
    bank_scopes: scopes.join(' '),
    is_first_party: false,
    client_secret: isFormerValid ? `${secretHash} ${formerHash}` : secretHash,
    token_endpoint_auth_method: 'client_secret_basic',
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
