import type { FastifyInstance } from 'fastify'
import { isIntrospectionOn } from '../gateway/introspection.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import { escapeHtml, page } from './page.ts'

/** Serves an overview page at `/` and at the base path of the REST operations. */
export function serveFrontPage(app: FastifyInstance, bank: Bank, prefix: '' | '/v1'): void {
  const content = frontPage(bank, prefix)
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

function frontPage(bank: Bank, prefix: string): string {
  const { environment, issuer } = bank
  const row = (path: string, description: string) =>
    `<tr><td><a href="${path}">${path}</a></td><td>${description}</td></tr>`
  const rows = [
    ...(isIntrospectionOn(bank)
      ? explorers.map(([path, description]) => row(path, description))
      : []),
    row(
      '/docs',
      `The reference of the REST API at <code>${escapeHtml(issuer + prefix)}</code>. Machine-readable: <a href="/openapi.json">openapi.json</a>.`,
    ),
    row(
      '/events',
      'The catalog of event types. Machine-readable: <a href="/asyncapi.json">asyncapi.json</a>.',
    ),
    row('/problems', 'The catalog of problem codes.'),
  ]
  const isSandbox = environment === 'sandbox'
  const intro = isSandbox
    ? '<p>The environment for experiments, with sample data. <code>npm run --silent token</code> prints a token.</p>'
    : '<p>The live environment, which starts without data. <code>npm run --silent token -- --env live</code> prints a token.</p>'
  return page(isSandbox ? 'Sandbox' : 'Live', `${intro}<table>${rows.join('')}</table>`)
}
