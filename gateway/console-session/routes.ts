import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../../kernel/environment/bank.ts'
import { Problem } from '../../kernel/domain/problem.ts'
import { countAddress } from '../rate-limits.ts'
import { cookieIn } from './cookies.ts'
import { logInSeconds, type PendingLogIn } from './identity-provider.ts'
import { readLogOutToken } from './log-out-token.ts'
import { requireOwnRequest } from './requests.ts'
import { callbackPath, sessionSeconds, type ConsoleSessions } from './sessions.ts'

/** Sends the page of the console with the reason why nobody is logged in. */
export type SendProblem = (
  reply: FastifyReply,
  problem: string,
  returnTo: string,
) => Promise<FastifyReply>

const startPath = '/console/'
const place = 'console-log-in'
/** The parameters of a log-in that a page may choose. */
const parameterPatterns = {
  login_hint: /^.{1,100}$/,
  prompt: /^(login|none)$/,
  acr_values: /^[\x20-\x7e]{1,200}$/,
  max_age: /^\d{1,9}$/,
} as const

/**
 * Serves the log-in and the log-out of the console:
 *
 * - `GET /console/session` returns who is logged in: the person, the scopes and the expiry.
 * - `GET /console/session/log-in` sends the browser to the identity provider.
 * - `GET /console/session/callback` begins the session when it returns.
 * - `POST /console/session/log-out` ends the session and returns where to end the one at the
 *   identity provider (RP-initiated log-out).
 * - `POST /console/session/back-channel-log-out` takes the log-outs that the identity provider
 *   reports (OpenID Connect Back-Channel Logout).
 */
export function serveConsoleSessions(
  app: FastifyInstance,
  bank: Bank,
  sessions: ConsoleSessions,
  sendProblem: SendProblem,
): void {
  app.addHook('onClose', () => sessions.close())
  app.get('/console/session', async (request, reply) => {
    const active = await sessions.find(request.raw)
    return sendJson(reply, active ? sessions.view(active) : null)
  })
  app.get('/console/session/log-in', async (request, reply) => {
    countAddress(bank, request, request.raw)
    const { return_to: returnTo, ...query } = request.query as Record<string, unknown>
    const log = { returnTo: ownPath(bank, returnTo), parameters: parametersIn(query) }
    const { url, pending } = await sessions.provider.begin(log)
    const value = bank.vault.encrypt(JSON.stringify(pending), place)
    const cookie = sessions.cookies.set(sessions.cookies.logIn(pending.state), value, logInSeconds)
    return redirect(reply.header('set-cookie', cookie), url.href)
  })
  app.get(callbackPath, async (request, reply) => {
    countAddress(bank, request, request.raw)
    return finish(bank, sessions, sendProblem, request, reply)
  })
  app.post('/console/session/log-out', async (request, reply) => {
    requireOwnRequest(bank, request)
    await sessions.end(request.raw)
    const url = await sessions.provider.logOutUrl(`${bank.issuer}/`).catch(() => null)
    void reply.header('set-cookie', sessions.cookies.clear(sessions.cookies.session))
    return sendJson(reply, { location: url?.href ?? startPath })
  })
  app.post('/console/session/back-channel-log-out', async (request, reply) => {
    countAddress(bank, request, request.raw)
    const form = new URLSearchParams(String((request.body as Buffer | undefined) ?? ''))
    const configuration = await sessions.provider.configuration()
    const ended = await readLogOutToken(configuration, form.get('logout_token') ?? '')
    if (!ended) throw new Problem('BAD_REQUEST', { detail: 'The logout token is not valid.' })
    await sessions.endAt(ended.sid, ended.sub)
    return reply.header('cache-control', 'no-store').code(200).send()
  })
}

/** Begins the session of the person who returns from the identity provider. */
async function finish(
  bank: Bank,
  sessions: ConsoleSessions,
  sendProblem: SendProblem,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { cookies, provider } = sessions
  const { state } = request.query as { state?: unknown }
  const name = cookies.logIn(typeof state === 'string' ? state : '')
  const pending = pendingIn(bank, cookieIn(request.headers.cookie, name))
  void reply.header('set-cookie', cookies.clear(name))
  if (!pending) {
    const problem = 'This log-in did not start in this browser, or it took too long. Log in again.'
    return sendProblem(reply, problem, startPath)
  }
  try {
    const tokens = await provider.finish(new URL(request.url, bank.issuer), pending)
    const id = await sessions.begin(tokens, pending)
    // The session of the person before, whose pages must not go on as somebody else.
    await sessions.end(request.raw)
    const cookie = cookies.set(cookies.session, id, sessionSeconds)
    return redirect(reply.header('set-cookie', cookie), pending.returnTo)
  } catch (error) {
    if (pending.isSilent) return redirect(reply, pending.returnTo)
    bank.log.warn({ error: (error as Error).message }, 'a log-in to the console failed')
    return sendProblem(reply, reasonOf(error), pending.returnTo)
  }
}

function pendingIn(bank: Bank, encrypted: string | undefined): PendingLogIn | null {
  if (encrypted === undefined) return null
  try {
    const pending = JSON.parse(bank.vault.decrypt(encrypted, place)) as PendingLogIn
    return pending.expiresAt > Date.now() ? pending : null
  } catch {
    // Somebody changed the cookie.
    return null
  }
}

/** Returns the path of a page of the console, to which a log-in may lead. */
function ownPath({ issuer }: Bank, path: unknown): string {
  if (typeof path !== 'string' || !URL.canParse(path, issuer)) return startPath
  const { origin, pathname, search } = new URL(path, issuer)
  const isOwn = origin === issuer && /^\/console(\/|$)/.test(pathname)
  return isOwn ? `${pathname}${search}` : startPath
}

/** Returns the parameters that are valid; others are ignored. */
function parametersIn(query: Record<string, unknown>): Record<string, string> {
  const entries = Object.entries(parameterPatterns).flatMap(([name, pattern]) => {
    const value = query[name]
    return typeof value === 'string' && pattern.test(value) ? [[name, value] as const] : []
  })
  return Object.fromEntries(entries)
}

/** Returns what a person reads about a log-in that failed. */
function reasonOf(error: unknown): string {
  const { error: code, error_description: description } = error as Record<string, unknown>
  if (code === 'access_denied') return 'The log-in was canceled.'
  if (typeof description === 'string' && description !== '') return description
  return error instanceof Problem ? error.message : 'The log-in failed. Try again.'
}

const redirect = (reply: FastifyReply, location: string): FastifyReply =>
  reply.code(303).header('location', location).header('cache-control', 'no-store').send()

const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify(value))
