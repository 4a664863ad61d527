import type { Pool } from 'pg'
import type { LogIns } from '../kernel/authorization/log-ins.ts'
import { consentTexts, type Scope } from '../kernel/domain/scopes.ts'
import { isRevokedSql } from './adapter.ts'
import { findClient } from './clients.ts'

interface RecordRow {
  id: string
  uid: string | null
  payload: {
    clientId?: string
    iat: number
    loginTs?: number
    resources?: Record<string, string>
  }
  expires_at: Date
}

/** How far the time of a session may be from that of its record in the audit of identity. */
const toleranceMs = 3000

interface RecordedLogIn {
  at: Date
  userAgent: string | null
  address: string | null
}

/** Returns the latest log-ins of a person in the audit of identity. */
async function recordedLogIns(pool: Pool, username: string): Promise<RecordedLogIn[]> {
  const { rows } = await pool.query<RecordedLogIn>({
    name: 'oauth-recorded-log-ins',
    text: `select at, user_agent as "userAgent", address from kernel.identity_record
           where person = $1 and kind = 'log-in' and outcome = 'succeeded'
           order by at desc limit 400`,
    values: [username],
  })
  return rows
}

/** Reads the log-ins from the records of oidc-provider. */
export function createLogIns(pool: Pool, now: () => Date): LogIns {
  const recordsOf = async (model: 'Grant' | 'Session', username: string) => {
    const { rows } = await pool.query<RecordRow>({
      name: `oauth-records-of-person-${model}`,
      text: `select id, uid, payload, expires_at from oauth.record r
             where model = '${model}' and payload ->> 'accountId' = $1 and expires_at > $2
             and consumed_at is null
             and not exists (select from kernel.revocation v where ${isRevokedSql})
             order by (payload ->> 'iat')::numeric desc, id limit 200`,
      values: [username, now()],
    })
    return rows
  }
  return {
    async appsOf(username) {
      const grants = await recordsOf('Grant', username)
      const clientIds = new Set(grants.map(({ payload }) => payload.clientId ?? ''))
      const found = await Promise.all(
        [...clientIds].map((id) => findClient({ pool, profile: 'standard' }, id)),
      )
      const clients = new Map(found.map((client) => [client?.client_id, client]))
      return grants.flatMap(({ id, payload, expires_at: expiresAt }) => {
        const { clientId = '', iat, resources = {} } = payload
        const client = clients.get(clientId)
        // The bank's own apps are not connected by people.
        if (!client || client['is_first_party'] === true) return []
        const label = client.client_name ?? clientId
        const logoUri = client.logo_uri ?? null
        const scopes = Object.values(resources).flatMap((text) => text.split(' ').filter(Boolean))
        const connectedAt = new Date(iat * 1000)
        const permissions = scopes.flatMap((scope) => consentTexts[scope as Scope] ?? [])
        const app = { grantId: id, clientId, label, logoUri, scopes, permissions }
        return [{ ...app, connectedAt, expiresAt }]
      })
    },
    async sessionsOf(username) {
      const [sessions, logIns] = await Promise.all([
        recordsOf('Session', username),
        recordedLogIns(pool, username),
      ])
      return sessions.flatMap(({ uid, payload: { loginTs }, expires_at: expiresAt }) => {
        if (uid === null || loginTs === undefined) return []
        const loggedInAt = new Date(loginTs * 1000)
        const { userAgent = null, address = null } =
          logIns.find(({ at }) => Math.abs(at.getTime() - loggedInAt.getTime()) <= toleranceMs) ??
          {}
        return [{ sessionId: uid, userAgent, address, loggedInAt, expiresAt }]
      })
    },
  }
}
