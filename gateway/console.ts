import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import { serveConsoleSessions } from './console-session/routes.ts'
import type { ConsoleSessions, SessionView } from './console-session/sessions.ts'

const folder = join(projectRoot, 'dist', 'console')
/** The manifest of the operations that the console sends. */
export const consoleOperationsPath = join(folder, 'operations.json')
/** The place of the nonce in the built page. */
const nonceMark = 'CSP-NONCE'
const settingsElement = /(<script type="application\/json" id="bank"[^>]*>)[^<]*/
const yearSeconds = 365 * 24 * 3600

/** What the console must know about an environment before anybody is logged in. */
export interface ConsoleSettings {
  /** Whether people log in at the authorization server of this origin. */
  isOwnProvider: boolean
  /** The page on which people manage their passkeys; null if they log in elsewhere. */
  passkeysUrl: string | null
  /** The people as whom anybody on this machine may log in. */
  people: readonly { username: string; label: string; isEmployee: boolean }[]
}

/** What a page says about the person who requested it. */
interface Beginning {
  session: SessionView | null
  /** Why a log-in failed. */
  problem: string | null
  /** The path that the page shows; null for that of the address. */
  returnTo: string | null
}

/**
 * Serves the console: one page at `/console` and at every path below it, the files it loads, and its
 * sessions. The names of the files contain a hash of their content, so browsers keep them. The page
 * contains who is logged in, so that it needs no request to find out.
 */
export async function serveConsole(
  app: FastifyInstance,
  bank: Bank,
  settings: ConsoleSettings,
  sessions: ConsoleSessions,
): Promise<void> {
  const file = join(folder, 'index.html')
  if (!existsSync(file)) throw new Error('The console is not built: run npm run build:console.')
  await app.register(serveFiles, {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    preCompressed: true,
    immutable: true,
    maxAge: yearSeconds * 1000,
    index: false,
  })
  const sendPage = async (reply: FastifyReply, beginning: Beginning) => {
    const template = await readFile(file, 'utf8')
    const { html, policy } = pageFor(template, bank, settings, beginning)
    return reply
      .header('content-security-policy', policy)
      .header('cache-control', 'no-store')
      .type('text/html; charset=utf-8')
      .send(html)
  }
  serveConsoleSessions(app, bank, sessions, async (reply, problem, returnTo) =>
    sendPage(reply, { session: null, problem, returnTo }),
  )
  for (const path of ['/console', '/console/*']) {
    app.get(path, async (request, reply) => {
      const person = chosenPerson(request, settings.people)
      if (person !== null) return reply.redirect(logInPath(person), 303)
      const active = await sessions.find(request.raw)
      const session = active && sessions.view(active)
      return sendPage(reply, { session, problem: null, returnTo: null })
    })
  }
}

/** Returns the page with the settings of the environment, and the policy of what it may load. */
function pageFor(
  template: string,
  bank: Bank,
  { isOwnProvider, passkeysUrl, people }: ConsoleSettings,
  beginning: Beginning,
): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64url')
  const text = JSON.stringify({
    environment: bank.environment,
    isOwnProvider,
    passkeysUrl,
    people,
    nonce,
    ...beginning,
  })
  const html = template
    .replace(settingsElement, (_, tag: string) => tag + text.replaceAll('<', '\\u003c'))
    .replaceAll(nonceMark, nonce)
  return { html, policy: policyOf(nonce) }
}

/**
 * Returns the person that a link of this server's own pages chose (`?person=ada`). Links on other
 * sites cannot choose whom a browser logs in: browsers state where a request comes from.
 */
function chosenPerson(
  { query, headers }: FastifyRequest,
  people: ConsoleSettings['people'],
): string | null {
  const { person } = query as { person?: unknown }
  const isOffered = people.some(({ username }) => username === person)
  return isOffered && headers['sec-fetch-site'] === 'same-origin' ? String(person) : null
}

const logInPath = (person: string): string =>
  `/console/session/log-in?${new URLSearchParams({ login_hint: person, prompt: 'login' })}`

const policyOf = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "frame-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
