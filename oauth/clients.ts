import { createHash, timingSafeEqual } from 'node:crypto'
import type { Pool } from 'pg'
import type { AdapterPayload } from 'oidc-provider'
import { everyScope } from '../subgraphs/_kernel/scopes.ts'

/** A client that exists from the start; `secret` absent means a public client (code with PKCE). */
export interface SeededClient {
  clientId: string
  secret?: string
  label: string
  scopes: readonly string[]
  grantTypes: readonly ('client_credentials' | 'authorization_code' | 'refresh_token')[]
  redirectUris?: readonly string[]
}

interface ClientRow {
  client_id: string
  secret_hash: Buffer | null
  label: string
  scopes: string[]
  grant_types: string[]
  redirect_uris: string[]
}

/**
 * Promises that the client is stored as described, whatever was stored before. A client that was
 * disabled stays so. Refuses scopes that the bank does not know, and a secret that is missing where
 * it is needed or could be guessed.
 */
export async function seedClient(pool: Pool, client: SeededClient, now: Date): Promise<void> {
  const unknown = client.scopes.filter((scope) => !everyScope.some((known) => known === scope))
  if (unknown.length > 0) throw new Error(`${client.clientId} has unknown scopes: ${unknown}.`)
  if (client.secret === undefined && client.grantTypes.includes('client_credentials')) {
    throw new Error(`${client.clientId} needs a secret to have tokens of its own.`)
  }
  if (client.secret !== undefined && client.secret.length < 32) {
    throw new Error(`The secret of ${client.clientId} is too short for a random one of 32 bytes.`)
  }
  await pool.query(
    `insert into oauth.client
       (client_id, secret_hash, label, scopes, grant_types, redirect_uris, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (client_id) do update set
       secret_hash = excluded.secret_hash, label = excluded.label, scopes = excluded.scopes,
       grant_types = excluded.grant_types, redirect_uris = excluded.redirect_uris`,
    [
      client.clientId,
      client.secret === undefined ? null : hashSecret(client.secret),
      client.label,
      client.scopes,
      client.grantTypes,
      client.redirectUris ?? [],
      now,
    ],
  )
}

/** Promises an enabled client as oidc-provider wants it, with the hash where it expects the secret. */
export async function findClient(pool: Pool, id: string): Promise<AdapterPayload | undefined> {
  // PostgreSQL has no NUL in text: what cannot be a client id is not looked up.
  if (!/^[!-~]{1,200}$/.test(id)) return undefined
  const { rows } = await pool.query<ClientRow>({
    name: 'oauth-find-client',
    text: `select client_id, secret_hash, label, scopes, grant_types, redirect_uris
           from oauth.client where client_id = $1 and disabled_at is null`,
    values: [id],
  })
  const [row] = rows
  if (!row) return undefined
  return {
    client_id: row.client_id,
    client_name: row.label,
    grant_types: row.grant_types,
    response_types: row.grant_types.includes('authorization_code') ? ['code'] : [],
    redirect_uris: row.redirect_uris,
    bank_scopes: row.scopes.join(' '),
    ...(row.secret_hash
      ? {
          client_secret: row.secret_hash.toString('hex'),
          token_endpoint_auth_method: 'client_secret_basic',
        }
      : { token_endpoint_auth_method: 'none' }),
  }
}

/** Promises whether the secret is the one whose hash is stored, in a time that tells nothing. */
export function isSecretOf(storedHash: string | undefined, secret: string): boolean {
  if (!storedHash) return false
  return timingSafeEqual(Buffer.from(storedHash, 'hex'), hashSecret(secret))
}

/** One round of SHA-256 is enough for 32 random bytes; only secrets that people choose need scrypt. */
function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}
