import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import type { Pool } from 'pg'
import { InvalidRequest } from 'oidc-provider/lib/helpers/errors.js'
import { findClient } from './clients.ts'

interface RecordRow {
  payload: AdapterPayload
  consumed_at: Date | null
}

/**
 * Promises oidc-provider's storage in the tables `oauth.client` (read only) and `oauth.record`. What a
 * person or a client had when its tokens were revoked is gone too: nothing can be renewed with it.
 */
export function postgresAdapter(pool: Pool, now: () => Date): AdapterFactory {
  return (model) => {
    const records = recordsOf(pool, model, now)
    return model === 'Client' ? { ...records, find: (id) => findClient(pool, id) } : records
  }
}

/** Whether a revocation `v` voids a record `r`. */
const isVoided = `(v.kind = 'subject' and v.value = r.payload ->> 'accountId'
    or v.kind = 'client' and v.value = r.payload ->> 'clientId')
  and extract(epoch from v.issued_until) >= (r.payload ->> 'iat')::numeric`

/** What a revocation voids goes with it: it would be good again without. */
const sweepRevocationsSql = `
  with swept as (delete from kernel.revocation where expires_at <= $1 returning kind, value, issued_until)
  delete from oauth.record r using swept v where ${isVoided}`

/** Promises that what has expired is gone, revocations too, and says how many records went. */
export async function sweepRecords(pool: Pool, now: Date): Promise<number> {
  await pool.query(sweepRevocationsSql, [now])
  const { rowCount } = await pool.query('delete from oauth.record where expires_at <= $1', [now])
  return rowCount ?? 0
}

function recordsOf(pool: Pool, model: string, now: () => Date): Adapter {
  const findBy = async (column: 'id' | 'user_code' | 'uid', value: string) => {
    if (!isStorable(value)) return undefined
    const { rows } = await pool.query<RecordRow>({
      name: `oauth-find-record-by-${column}`,
      text: `select payload, consumed_at from oauth.record r
             where model = $1 and ${column} = $2 and (expires_at is null or expires_at > $3)
             and not exists (select from kernel.revocation v where ${isVoided})`,
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
    async upsert(id, payload, expiresIn) {
      const expiresAt = expiresIn ? new Date(now().getTime() + expiresIn * 1000) : null
      const { grantId = null, userCode = null, uid = null } = payload
      const text = JSON.stringify(payload)
      if (hasNul.test(text)) throw new InvalidRequest('NUL is no character of a parameter.')
      await pool.query({
        name: 'oauth-upsert-record',
        text: `insert into oauth.record (model, id, payload, grant_id, user_code, uid, expires_at)
               values ($1, $2, $3, $4, $5, $6, $7)
               on conflict (model, id) do update set
                 payload = excluded.payload, grant_id = excluded.grant_id,
                 user_code = excluded.user_code, uid = excluded.uid,
                 expires_at = excluded.expires_at`,
        values: [model, id, text, grantId, userCode, uid, expiresAt],
      })
    },
    async consume(id) {
      await pool.query(
        'update oauth.record set consumed_at = $3 where model = $1 and id = $2 and consumed_at is null',
        [model, id, now()],
      )
    },
    async destroy(id) {
      if (!isStorable(id)) return
      await pool.query('delete from oauth.record where model = $1 and id = $2', [model, id])
    },
    async revokeByGrantId(grantId) {
      await pool.query('delete from oauth.record where model = $1 and grant_id = $2', [
        model,
        grantId,
      ])
    },
  }
}

/** As JSON writes it: a backslash before it would be another's. */
const hasNul = /(?<!\\)(?:\\\\)*\\u0000/

/** Ids arrive from strangers; PostgreSQL has no NUL in text, and ours are short. */
function isStorable(id: string): boolean {
  return id.length <= 200 && !id.includes('\0')
}
