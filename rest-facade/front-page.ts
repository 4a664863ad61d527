import type { FastifyInstance } from 'fastify'
import { isIntrospectionOn } from '../gateway/introspection.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { escapeHtml, page } from './page.ts'

/** A person as whom anybody on this machine may log in to the console. */
export interface FrontPagePerson {
  username: string
  /** Who the person is, such as `Ada, customer`. */
  label: string
}

/** Serves the start page at `/` and at the base path of the REST operations. */
export function serveFrontPage(
  app: FastifyInstance,
  bank: Bank,
  prefix: '' | '/v1',
  people: readonly FrontPagePerson[],
): void {
  const content = frontPage(bank, prefix, people)
  for (const path of new Set(['/', prefix || '/'])) {
    app.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(content))
  }
}

/** Links that are shown only if introspection is enabled. */
const explorers = [
  [
    '/graphiql',
    'GraphiQL, an explorer for the graph. <a href="/graphql">Apollo Sandbox</a> is another one; it is loaded from the internet.',
  ],
  ['/schema.graphql', 'The GraphQL schema, for code generators and editors.'],
] as const

function frontPage(bank: Bank, prefix: string, people: readonly FrontPagePerson[]): string {
  const { environment, issuer } = bank
  const row = (path: string, description: string) =>
    `<tr><td><a href="${path}">${path}</a></td><td>${description}</td></tr>`
  const rows = [
    ...(isIntrospectionOn(bank)
      ? explorers.map(([path, description]) => row(path, description))
      : []),
    row(
      '/docs',
      `The reference of the REST API at <code>${escapeHtml(issuer + prefix)}</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>. Ready to send: a collection for <a href="/postman.json">Postman</a> and for <a href="/bruno.json">Bruno</a>.`,
    ),
    row(
      '/events',
      'The catalog of event types. Machine-readable: <a href="/asyncapi.json">asyncapi.json</a>.',
    ),
    row('/problems', 'The catalog of problem codes.'),
  ]
  const isSandbox = environment === 'sandbox'
  const intro = isSandbox
    ? '<p>The environment for experiments, with sample data.</p>'
    : '<p>The live environment, which starts without data.</p>'
  const command = isSandbox ? 'npm run --silent token' : 'npm run --silent token -- --env live'
  return page(
    isSandbox ? 'Sandbox' : 'Live',
    `${intro}${consoleSection(people)}<h2>For developers</h2>` +
      `<p><code>${command}</code> prints a token.</p><table>${rows.join('')}</table>`,
  )
}

/** Renders the way into the console: one click for each person that the sandbox offers. */
function consoleSection(people: readonly FrontPagePerson[]): string {
  if (people.length === 0) {
    return '<p><a class="button" href="/console/">Open the console</a></p>'
  }
  const buttons = people.map(({ username, label }) => {
    const [name, ...description] = label.split(', ')
    const href = `/console/?person=${encodeURIComponent(username)}`
    return `<a class="person" href="${href}"><strong>${escapeHtml(name!)}</strong> ${escapeHtml(description.join(', '))}</a>`
  })
  return (
    '<h2>The bank at work</h2><p>Open <a href="/console/">the console</a> as one of these people, ' +
    `with one click and with the rights of this person:</p><div class="people">${buttons.join('')}</div>`
  )
}
