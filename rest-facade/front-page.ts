import type { FastifyInstance } from 'fastify'
import { isIntrospectionOn } from '../gateway/introspection.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import { escapeHtml, page } from './page.ts'

/** Serves at `/`, and where the operations start, what there is to open: for who types the address that the start printed. */
export function serveFrontPage(app: FastifyInstance, bank: Bank, prefix: '' | '/v1'): void {
  const content = frontPage(bank, prefix)
  for (const path of new Set(['/', prefix || '/'])) {
    app.get(path, (_request, reply) => reply.type('text/html; charset=utf-8').send(content))
  }
}

/** Served only where introspection is on. */
const explorers = [
  [
    '/graphiql',
    'The graph in GraphiQL. <a href="/graphql">Apollo Sandbox</a> is loaded from the internet.',
  ],
  ['/schema.graphql', 'The schema of the graph, for code generators and editors.'],
] as const

function frontPage(bank: Bank, prefix: string): string {
  const { environment, issuer } = bank
  const row = (path: string, what: string) =>
    `<tr><td><a href="${path}">${path}</a></td><td>${what}</td></tr>`
  const rows = [
    ...(isIntrospectionOn(bank) ? explorers.map(([path, what]) => row(path, what)) : []),
    row(
      '/docs',
      `The documented operations, below <code>${escapeHtml(issuer + prefix)}</code>. For programs: <a href="/openapi.json">openapi.json</a>.`,
    ),
    row(
      '/events',
      'Every event there is. For programs: <a href="/asyncapi.json">asyncapi.json</a>.',
    ),
    row('/problems', 'Every error there is.'),
  ]
  const isSandbox = environment === 'sandbox'
  const intro = isSandbox
    ? '<p>For trying. <code>npm run --silent token</code> prints a token.</p>'
    : '<p>Strict, and empty at first. <code>npm run --silent token -- --env live</code> prints a token.</p>'
  return page(isSandbox ? 'Sandbox' : 'Live', `${intro}<table>${rows.join('')}</table>`)
}
