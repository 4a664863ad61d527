import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import serveFiles from '@fastify/static'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { projectRoot } from '../kernel/environment/root.ts'

const folder = join(projectRoot, 'dist', 'console')
/** The place of the nonce in the built page. */
const nonceMark = 'CSP-NONCE'
const settingsElement = /(<script type="application\/json" id="bank"[^>]*>)[^<]*/
const yearSeconds = 365 * 24 * 3600

/** What the console must know about an environment before anybody is logged in. */
export interface ConsoleSettings {
  /** The authorization server at which people log in. */
  issuer: string
  /** The metadata of the authorization server (RFC 8414). */
  authorizationServer: object
  clientId: string
  /** The people as whom anybody on this machine may log in. */
  people: readonly { username: string; label: string; isEmployee: boolean }[]
}

/**
 * Serves the console: one page at `/console` and at every path below it, and the files it loads. The
 * names of the files contain a hash of their content, so browsers keep them.
 */
export async function serveConsole(
  app: FastifyInstance,
  bank: Bank,
  settings: ConsoleSettings,
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
  for (const path of ['/console', '/console/*']) {
    app.get(path, async (request, reply) => {
      const template = await readFile(file, 'utf8')
      const { html, policy } = pageFor(request, template, bank, settings)
      return reply
        .header('content-security-policy', policy)
        .header('cache-control', 'no-store')
        .type('text/html; charset=utf-8')
        .send(html)
    })
  }
}

/** Returns the page with the settings of the environment, and the policy of what it may load. */
function pageFor(
  request: FastifyRequest,
  template: string,
  bank: Bank,
  { issuer, authorizationServer, clientId, people }: ConsoleSettings,
): { html: string; policy: string } {
  const nonce = randomBytes(16).toString('base64url')
  const text = JSON.stringify({
    environment: bank.environment,
    authorizationServer,
    clientId,
    people,
    logInAs: chosenPerson(request, people),
    nonce,
  })
  const html = template
    .replace(settingsElement, (_, tag: string) => tag + text.replaceAll('<', '\\u003c'))
    .replaceAll(nonceMark, nonce)
  return { html, policy: policyOf(nonce, new URL(issuer).origin) }
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

const policyOf = (nonce: string, issuer: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data: blob:",
    "font-src 'self'",
    `connect-src 'self' ${issuer}`,
    "frame-src 'self'",
    "manifest-src 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ].join('; ')
