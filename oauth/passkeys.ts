import { createHmac, randomBytes } from 'node:crypto'
import type { Pool, QueryConfig } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import { passkeyHolderSubject } from '../kernel/authorization/step-up.ts'

/** A passkey: the public half of a WebAuthn credential. */
export interface Passkey {
  /** The credential ID, in base64url. */
  credentialId: string
  username: string
  /** The opaque ID of the person in the authenticator, in base64url. */
  userHandle: string
  /** The public key as a COSE key (RFC 9052). */
  publicKey: Uint8Array<ArrayBuffer>
  /** The last signature counter; always 0 for authenticators without a counter. */
  signCount: number
  transports: string[]
  label: string
  createdAt: Date
  lastUsedAt: Date | null
}

interface PasskeyRow {
  credential_id: string
  username: string
  user_handle: string
  public_key: Buffer
  sign_count: string
  transports: string[]
  label: string
  created_at: Date
  last_used_at: Date | null
}

/** The maximum number of passkeys of one person. */
export const maxPasskeys = 10
const columns =
  'credential_id, username, user_handle, public_key, sign_count, transports, label, created_at, last_used_at'

const passkeyOf = (row: PasskeyRow): Passkey => ({
  credentialId: row.credential_id,
  username: row.username,
  userHandle: row.user_handle,
  publicKey: Uint8Array.from(row.public_key),
  signCount: Number(row.sign_count),
  transports: row.transports,
  label: row.label,
  createdAt: row.created_at,
  lastUsedAt: row.last_used_at,
})

/** Returns the passkeys of a person, oldest first. */
export async function listPasskeys(pool: Pool, username: string): Promise<Passkey[]> {
  const { rows } = await pool.query<PasskeyRow>(
    `select ${columns} from oauth.passkey where username = $1 order by created_at, credential_id`,
    [username],
  )
  return rows.map(passkeyOf)
}

/** Finds a passkey by its credential ID, which is unvalidated input; null if there is none. */
export async function findPasskey(pool: Pool, credentialId: string): Promise<Passkey | null> {
  if (!/^[\w-]{1,1400}$/.test(credentialId)) return null
  const { rows } = await pool.query<PasskeyRow>(
    `select ${columns} from oauth.passkey where credential_id = $1`,
    [credentialId],
  )
  return rows[0] ? passkeyOf(rows[0]) : null
}

/**
 * Returns the opaque ID of a person for authenticators, 32 bytes in base64url. It does not reveal
 * the user name (WebAuthn, 14.6.1). All passkeys of a person have the same one.
 */
export function userHandleFor(
  username: string,
  passkeys: readonly Passkey[],
  ring: KeyRing,
): string {
  // The oldest secret, so that a rotation changes nothing between the page and its response.
  const hmac = createHmac('sha256', `user-handle ${ring.known.at(-1)}`).update(username)
  return passkeys[0]?.userHandle ?? hmac.digest('base64url')
}

/**
 * Stores a new passkey. Returns false if its credential ID is already in use, or if the person has
 * the maximum number of passkeys: none yet, unless the person used a passkey to log in.
 */
export function addPasskey(
  pool: Pool,
  passkey: Passkey,
  hasUsedPasskey: boolean,
  record: RecordArguments,
): Promise<boolean> {
  const { credentialId, username, userHandle, publicKey, signCount } = passkey
  return changePasskeys(pool, username, {
    text: `insert into oauth.passkey (${columns})
           select $1, $2, $3, $4, $5, $6, $7, $8, null
             where (select count(*) from oauth.passkey where username = $2) < $9
           on conflict (credential_id) do nothing`,
    values: [
      credentialId,
      username,
      userHandle,
      Buffer.from(publicKey),
      signCount,
      passkey.transports,
      passkey.label,
      passkey.createdAt,
      hasUsedPasskey ? maxPasskeys : 1,
    ],
    record,
  })
}

/** Removes a passkey of a person. It cannot be used any more. Returns whether there was one. */
export function removePasskey(
  pool: Pool,
  username: string,
  credentialId: string,
  record: RecordArguments,
): Promise<boolean> {
  const text = 'delete from oauth.passkey where username = $1 and credential_id = $2'
  return changePasskeys(pool, username, { text, values: [username, credentialId], record })
}

/** The arguments of `kernel.write_identity_records`, for the record of a change. */
type RecordArguments = [string, string]

const recordSql = 'select kernel.write_identity_records($1::json, $2::json)'

/**
 * Changes the passkeys of a person, one change after the other, and writes in the same transaction
 * the record of identity and whether the party has a passkey. The areas of the bank read the latter
 * as a fact. Returns whether a row changed.
 */
async function changePasskeys(
  pool: Pool,
  username: string,
  { record, ...change }: QueryConfig & { record: RecordArguments },
): Promise<boolean> {
  const client = await pool.connect()
  // An unhandled 'error' event would end the process. If the session is lost, the next query fails.
  const ignore = () => undefined
  client.on('error', ignore)
  try {
    await client.query('begin')
    await client.query('select from oauth.person where username = $1 for update', [username])
    const { rowCount } = await client.query(change)
    await client.query(publishSql, [passkeyHolderSubject(''), username])
    if (rowCount === 1) await client.query(recordSql, record)
    await client.query('commit')
    client.off('error', ignore)
    client.release()
    return rowCount === 1
  } catch (error) {
    // The connection may be in a failed transaction, so it is closed.
    client.release(true)
    throw error
  }
}

const publishSql = `
  insert into kernel.fact as f (subject, version, data)
    select $1 || p.party_id, 1, jsonb_build_object('hasPasskey', exists (
        select from oauth.passkey k join oauth.person o using (username)
        where o.party_id = p.party_id))
      from oauth.person p where p.username = $2 and p.party_id is not null
    on conflict (subject) do update set data = excluded.data, version = f.version + 1
      where f.data <> excluded.data`

/**
 * Records a use of a passkey. Returns false if the passkey was removed, or if the signature counter
 * did not grow: then two copies of the private key are in use (WebAuthn, 6.1.1). A passkey whose
 * counter was always 0 has no counter.
 */
export async function recordUse(
  pool: Pool,
  credentialId: string,
  signCount: number,
  now: Date,
): Promise<boolean> {
  const { rowCount } = await pool.query(
    `update oauth.passkey set sign_count = $2, last_used_at = $3
     where credential_id = $1 and (sign_count < $2 or sign_count = 0 and $2 = 0)`,
    [credentialId, signCount, now],
  )
  return rowCount === 1
}

const challengeSeconds = 300

/**
 * Stores a new random challenge for a subject, such as a log-in page. It replaces an earlier one.
 * Returns the challenge in base64url.
 */
export async function newChallenge(pool: Pool, subject: string, now: Date): Promise<string> {
  const challenge = randomBytes(32).toString('base64url')
  await pool.query(
    `insert into oauth.passkey_challenge (subject, challenge, expires_at) values ($1, $2, $3)
     on conflict (subject) do update set
       challenge = excluded.challenge, expires_at = excluded.expires_at`,
    [subject, challenge, new Date(now.getTime() + challengeSeconds * 1000)],
  )
  return challenge
}

/**
 * Takes the challenge of a subject, so that it can be used only once; null if there is none that is
 * still valid.
 */
export async function takeChallenge(
  pool: Pool,
  subject: string,
  now: Date,
): Promise<string | null> {
  const { rows } = await pool.query<{ challenge: string; expires_at: Date }>(
    'delete from oauth.passkey_challenge where subject = $1 returning challenge, expires_at',
    [subject],
  )
  return rows[0] && rows[0].expires_at > now ? rows[0].challenge : null
}

/** Deletes expired challenges. */
export async function pruneChallenges(pool: Pool, now: Date): Promise<void> {
  await pool.query('delete from oauth.passkey_challenge where expires_at <= $1', [now])
}
