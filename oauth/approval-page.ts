import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Provider } from 'oidc-provider'
import type { Pool } from 'pg'
import type { KeyRing } from '../kernel/environment/key-ring.ts'
import { approvalChallenge } from '../kernel/authorization/approvals.ts'
import { idPattern } from '../kernel/domain/ids.ts'
import { approvalPage, approvedPage, noApprovalPage } from './approval-pages.ts'
import { findPendingApproval, recordApproval, type PendingApproval } from './approvals.ts'
import { FailedAttempts } from './failed-attempts.ts'
import type { FailedAuthentication } from './failed-authentication.ts'
import { isFromAnotherSite, readForm, redirect, sendPage } from './forms.ts'
import type { IdentityAudit } from './identity-audit.ts'
import { LogInThrottle } from './log-in-throttle.ts'
import { paths } from './metadata.ts'
import { logInPath, meets, pageSessionOf, type PageSession } from './page-session.ts'
import { errorPage } from './pages.ts'
import { authenticationOptions, relyingPartyOf, type RelyingParty } from './passkey-ceremonies.ts'
import { parsePasskeyResponse, usePasskey } from './passkey-log-in.ts'
import { noPasskeysPage, notLoggedInPage } from './passkey-pages.ts'
import { listPasskeys } from './passkeys.ts'

export interface ApprovalPageOptions {
  pool: Pool
  issuer: string
  /** The secrets of the environment. */
  ring: KeyRing
  now: () => Date
  addressOf: (request: IncomingMessage) => string
  onFailedAuthentication: (failure: FailedAuthentication) => void
  audit: IdentityAudit
}

/** The page shows only what the person is about to approve, so any session of the person will do. */
const requirement = { maxAgeSeconds: 8 * 3600, isPasskeyRequired: false }

/**
 * Creates the handler of the page on which a customer reads and approves an operation. The page is
 * visible only to the person of the party. The passkey signs a challenge that is derived from the
 * data on the page.
 */
export function createApprovalPage(provider: Provider, options: ApprovalPageOptions) {
  const { pool, issuer, now } = options
  const relyingParty = relyingPartyOf(issuer)
  const approve = relyingParty && createApprove(options, relyingParty)

  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!relyingParty || !approve) return sendPage(response, 200, noPasskeysPage())
    const { pathname, searchParams } = new URL(request.url!, issuer)
    const id = searchParams.get('state') ?? pathname.slice(paths.approve.length + 1)
    if (!idPattern.test(id)) return sendPage(response, 404, noApprovalPage())
    const session = await pageSessionOf(provider, pool, request, response)
    if (!session || !meets(session, requirement, now())) {
      const isCanceled = searchParams.has('error')
      if (isCanceled) return sendPage(response, 403, notLoggedInPage(`${paths.approve}/${id}`))
      return redirect(response, await logInPath(provider, issuer, paths.approve, requirement, id))
    }
    // The browser comes back from the log-in with the ID in `state`.
    if (searchParams.has('state')) return redirect(response, `${paths.approve}/${id}`)
    const approval = await findPendingApproval(pool, id, now())
    if (!approval || approval.partyId !== session.person.partyId) {
      return sendPage(response, 404, noApprovalPage())
    }
    if (request.method !== 'POST') {
      return sendPage(response, 200, await pageOf(options, relyingParty, approval, session))
    }
    const form = isFromAnotherSite(request) ? null : await readForm(request)
    if (!form) {
      const text = 'The form is too long or was sent from another site.'
      return sendPage(response, 400, errorPage('invalid_request', text))
    }
    const outcome = await approve(request, session, approval, form.get('credential') ?? '')
    if (outcome === 'approved') return sendPage(response, 200, approvedPage())
    if (outcome.retryAfter) response.setHeader('retry-after', outcome.retryAfter)
    const { status, alert } = outcome
    sendPage(response, status, await pageOf(options, relyingParty, approval, session, alert))
  }
}

async function pageOf(
  { pool }: ApprovalPageOptions,
  relyingParty: RelyingParty,
  { action, text, nonce }: PendingApproval,
  { person }: PageSession,
  alert: string | null = null,
): Promise<string> {
  const passkeys = await listPasskeys(pool, person.username)
  const challenge = approvalChallenge(text, nonce)
  const options = await authenticationOptions(relyingParty, challenge, passkeys)
  return approvalPage(action, text, passkeys.length > 0 ? JSON.stringify(options) : null, alert)
}

type Outcome = 'approved' | { status: number; alert: string; retryAfter?: number }

/** Creates the check of a passkey's response. Failures cause the same delays as wrong passwords. */
function createApprove(options: ApprovalPageOptions, relyingParty: RelyingParty) {
  const { pool, ring, now, addressOf, onFailedAuthentication, audit } = options
  const throttle = new LogInThrottle(new FailedAttempts(pool, ring))

  return async (
    request: IncomingMessage,
    { person }: PageSession,
    { approvalId, text, nonce }: PendingApproval,
    credential: string,
  ): Promise<Outcome> => {
    const { username, partyId } = person
    const attempt = { username, address: addressOf(request), isKnownDevice: false }
    const failure = { kind: 'person', name: username, partyId } as const
    const entry = { kind: 'approval', person: username, partyId, detail: approvalId } as const
    const { delayMs, state } = await throttle.begin(attempt)
    if (delayMs > 0) {
      await audit.countFailure({ ...entry, outcome: 'throttled' })
      onFailedAuthentication({ ...failure, isThrottled: true, count: 0 })
      const retryAfter = Math.ceil(delayMs / 1000)
      const alert = `Too many attempts. Wait ${retryAfter} seconds and try again.`
      return { status: 429, alert, retryAfter }
    }
    const check = async () => {
      const used = parsePasskeyResponse(credential)
      const passkeys = await listPasskeys(pool, username)
      const passkey = passkeys.find(({ credentialId }) => credentialId === used?.id)
      const challenge = approvalChallenge(text, nonce)
      const source = { pool, relyingParty, now }
      if (!passkey || !used || !(await usePasskey(source, challenge, passkey, used))) return false
      const { authenticatorData, clientDataJSON, signature } = used.response
      const evidence = { authenticatorData, clientDataJSON, signature }
      const approver = { username, credentialId: passkey.credentialId, evidence }
      const approve = async (record: [string, string]) =>
        (await recordApproval(pool, approvalId, approver, now(), record)) || null
      return (await audit.recordWith({ ...entry, outcome: 'succeeded' }, approve)) ?? false
    }
    const isApproved = await check().catch((error) =>
      throttle.recordFailure(attempt, state).then(() => Promise.reject(error as Error)),
    )
    if (isApproved) {
      await throttle.recordSuccess(attempt, state)
      return 'approved'
    }
    const count = await throttle.recordFailure(attempt, state)
    await audit.countFailure({ ...entry, outcome: 'failed' })
    onFailedAuthentication({ ...failure, isThrottled: false, count })
    return { status: 422, alert: 'The passkey was not accepted. Try again.' }
  }
}
