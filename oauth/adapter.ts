import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Pool } from 'pg'
import { InvalidGrant, InvalidRequest, SessionNotFound } from 'oidc-provider/lib/helpers/errors.js'
import type { SecurityProfile } from '../kernel/environment/config.ts'
import { findClient } from './clients.ts'

interface RecordRow {
  payload: AdapterPayload
  consumed_at: Date | null
}

export interface AdapterOptions {
  pool: Pool
  now: () => Date
  profile: SecurityProfile
  /** Revokes the access tokens of a grant whose record has already been deleted. */
  revokeGrant: (grantId: string) => Promise<void>
}

/**
 * Stores the records of oidc-provider in `oauth.record`. Reads clients from `oauth.client` and from
 * the published facts of registered clients. A record that is covered by a revocation is never
 * returned, so that no token can be refreshed with it.
 */
export function postgresAdapter(options: AdapterOptions): AdapterFactory {
  return (model) => {
    const records = recordsOf(options, model)
    return model === 'Client' ? { ...records, find: (id) => findClient(options, id) } : records
  }
}

/** The SQL condition that the revocation `v` covers the record `r`. */
export const isRevokedSql = `(v.kind = 'subject' and v.value = r.payload ->> 'accountId'
    or v.kind = 'client' and v.value = r.payload ->> 'clientId'
    or v.kind = 'grant' and v.value in (r.grant_id, r.id)
    or v.kind = 'session' and r.model = 'Session' and v.value = r.uid)
  and extract(epoch from v.issued_until) >= (r.payload ->> 'iat')::numeric`

/**
 * Deletes expired revocations together with the records that they cover. Without the revocation,
 * these records would become valid again.
 */
const sweepRevocationsSql = `
  with swept as (delete from kernel.revocation where expires_at <= $1 returning kind, value, issued_until)
  delete from oauth.record r using swept v where ${isRevokedSql}`

/**
 * Deletes expired records and revocations. Returns the number of expired records that were deleted.
 */
export async function sweepRecords(pool: Pool, now: Date): Promise<number> {
  await pool.query(sweepRevocationsSql, [now])
  const { rowCount } = await pool.query('delete from oauth.record where expires_at <= $1', [now])
  return rowCount ?? 0
}

/**
 * Returns whether completed records of a model are retained until they expire, so that a concurrent
 * request cannot store them again.
 */
const isRetained = (model: string) => model === 'Session' || model === 'Interaction'
const isUsableSql = `(r.consumed_at is null or r.model not in ('Session', 'Interaction'))`

function recordsOf(options: AdapterOptions, model: string): Adapter {
  const { pool, now } = options
  const findBy = async (column: 'id' | 'user_code' | 'uid', value: string) => {
    if (!isStorable(value)) return undefined
    const { rows } = await pool.query<RecordRow>({
      name: `oauth-find-record-by-${column}`,
      text: `select payload, consumed_at from oauth.record r
             where model = $1 and ${column} = $2 and (expires_at is null or expires_at > $3)
             and ${isUsableSql} and not exists (select from kernel.revocation v where ${isRevokedSql})`,
      values: [model, value, now()],
    })
    const [row] = rows
    if (!row?.consumed_at) return row?.payload
    return { ...row.payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) }
  }
  return {
    find: (id) => findBy('id', id),
    findByUserCode: (userCode) => findBy('user_code', userCode),
    findByUid: (uid) => findBy('uid', uid),
    upsert: (id, payload, expiresIn) => upsert(options, model, { id, payload, expiresIn }),
    consume: (id) => consume(options, model, id),
    async destroy(id) {
      if (!isStorable(id)) return
      const sql = isRetained(model)
        ? 'update oauth.record set consumed_at = now() where model = $1 and id = $2 and consumed_at is null'
        : 'delete from oauth.record where model = $1 and id = $2'
      const { rowCount } = await pool.query(sql, [model, id])
      // An interaction can be completed only once: of two requests that resume it, one fails.
      if (model === 'Interaction' && rowCount === 0) {
        throw new SessionNotFound('The interaction was already completed.')
      }
    },
    async revokeByGrantId(grantId) {
      await pool.query('delete from oauth.record where model = $1 and grant_id = $2', [
        model,
        grantId,
      ])
      // oidc-provider calls `revokeByGrantId` for every model when it revokes a grant. The call for
      // access tokens revokes the entire grant.
      if (model === 'AccessToken') await revokeGrant(options, grantId)
    },
  }
}

interface UpsertRequest {
  id: string
  payload: AdapterPayload
  expiresIn: number | undefined
}

async function upsert(
  { pool, now }: AdapterOptions,
  model: string,
  { id, payload, expiresIn }: UpsertRequest,
): Promise<void> {
  const expiresAt = expiresIn ? new Date(now().getTime() + expiresIn * 1000) : null
  const { userCode = null, uid = null } = payload
  // An interaction names the grant of the last log-in. It outlives that grant, which is revoked when
  // another person logs in in the same browser.
  const grantId = model === 'Interaction' ? null : (payload.grantId ?? null)
  const text = JSON.stringify(payload)
  if (nulPattern.test(text)) throw new InvalidRequest('A parameter must not contain NUL.')
  const isUsedOnce = model === 'ReplayDetection'
  const { rowCount } = await pool.query({
    name: isUsedOnce ? 'oauth-insert-used' : 'oauth-upsert-record',
    text: `insert into oauth.record as r (model, id, payload, grant_id, user_code, uid, expires_at)
           values ($1, $2, $3, $4, $5, $6, $7)
           on conflict (model, id) do update set
             payload = excluded.payload, grant_id = excluded.grant_id,
             user_code = excluded.user_code, uid = excluded.uid,
             expires_at = excluded.expires_at
           where ${isUsedOnce ? 'r.expires_at <= $8' : isUsableSql}`,
    values: [model, id, text, grantId, userCode, uid, expiresAt, ...(isUsedOnce ? [now()] : [])],
  })
  // oidc-provider looks for an earlier use before it stores this one, so two uses can race.
  if (isUsedOnce && rowCount === 0) {
    throw new InvalidRequest('The assertion or the proof was already used.')
  }
}

/**
 * Marks a one-time record as used, in a single statement, so that only one of several concurrent
 * requests succeeds. The other requests have presented a code or a refresh token a second time.
 * Therefore the grant is revoked (RFC 6749, 10.5; RFC 9700, 4.14.2), and these requests are
 * rejected with `invalid_grant`.
 */
async function consume(options: AdapterOptions, model: string, id: string): Promise<void> {
  const { pool, now } = options
  const { rowCount } = await pool.query(
    'update oauth.record set consumed_at = $3 where model = $1 and id = $2 and consumed_at is null',
    [model, id, now()],
  )
  if (rowCount === 1) return
  const { rows } = await pool.query<{ grant_id: string | null }>(
    'select grant_id from oauth.record where model = $1 and id = $2',
    [model, id],
  )
  // If there is no row, another request has already revoked the grant.
  if (rows[0]?.grant_id) await revokeGrant(options, rows[0].grant_id)
  throw new InvalidGrant('The code or refresh token was already used.')
}

/** Revokes a grant with its codes, refresh tokens and access tokens. */
async function revokeGrant(options: AdapterOptions, grantId: string): Promise<void> {
  await options.pool.query(
    `delete from oauth.record where grant_id = $1 or model = 'Grant' and id = $1`,
    [grantId],
  )
  await options.revokeGrant(grantId)
}

/** Matches the JSON escape of NUL, unless its backslash is itself escaped. */
const nulPattern = /(?<!\\)(?:\\\\)*\\u0000/

/**
 * Returns whether an ID can exist. Clients can send any text, and PostgreSQL rejects NUL in text.
 */
function isStorable(id: string): boolean {
  return id.length <= 200 && !id.includes('\0')
}
