import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../gateway/http.ts'
import type { Bank } from '../subgraphs/_kernel/bank.ts'
import {
  catalogue,
  Problem,
  problemSlug,
  type ProblemCode,
} from '../subgraphs/_kernel/domain/problem.ts'
import { isRetryable } from '../subgraphs/_kernel/graph/errors.ts'
import { escapeHtml, page } from './page.ts'

/** Serves the error catalogue at `/problems` and `/problems/<slug>`, as pages for people and as JSON. */
export function serveProblems(app: FastifyInstance, bank: Bank): void {
  const codes = Object.keys(catalogue) as ProblemCode[]
  const entries = new Map(codes.map((code) => [problemSlug(code), entryOf(bank, code)]))
  app.get('/problems', (request, reply) => {
    if (!wantsPage(request.headers.accept)) return reply.send([...entries.values()])
    const rows = [...entries.values()].map(
      ({ slug, status, code, title }) =>
        `<tr><td>${status}</td><td><a href="/problems/${slug}">${code}</a></td><td>${escapeHtml(title)}</td></tr>`,
    )
    const table = `<table><tr><th>Status</th><th>Code</th><th>Meaning</th></tr>${rows.join('')}</table>`
    return reply.type('text/html; charset=utf-8').send(page('Problems', table))
  })
  app.get<{ Params: { slug: string } }>('/problems/:slug', (request, reply) => {
    const entry = entries.get(request.params.slug)
    if (!entry) return sendProblem(bank, request, reply, new Problem('ROUTE_NOT_FOUND'))
    if (!wantsPage(request.headers.accept)) return reply.send(entry)
    const { status, code, title, retryable } = entry
    const again = retryable
      ? 'The same request may succeed later: repeat it, with the same idempotency key.'
      : 'The same request will be refused again: change it first.'
    const text = `<p><strong>${status}</strong> <code>${code}</code></p><p>${escapeHtml(title)}</p><p>${again}</p><p><a href="/problems">All problems</a></p>`
    return reply.type('text/html; charset=utf-8').send(page(code, text))
  })
}

function entryOf(bank: Bank, code: ProblemCode) {
  const { status, title } = catalogue[code]
  const slug = problemSlug(code)
  const type = `${bank.issuer}/problems/${slug}`
  return { type, slug, code, status, title, retryable: isRetryable(code) }
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
