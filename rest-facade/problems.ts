import type { FastifyInstance } from 'fastify'
import { sendProblem } from '../gateway/http.ts'
import type { Bank } from '../kernel/environment/bank.ts'
import {
  catalog,
  Problem,
  problemCodes,
  type ProblemCode,
  problemSlug,
  isRetryable,
} from '../kernel/domain/problem.ts'
import { escapeHtml, page } from './page.ts'

/** Serves the problem catalog at `/problems` and `/problems/<slug>`, as HTML pages and as JSON. */
export function serveProblems(app: FastifyInstance, bank: Bank): void {
  const codes = problemCodes()
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
    const retryAdvice = retryable
      ? 'The same request may succeed later. Retry it with the same idempotency key.'
      : 'The same request would be rejected again. Change the request first.'
    const text = `<p><strong>${status}</strong> <code>${code}</code></p><p>${escapeHtml(title)}</p><p>${retryAdvice}</p><p><a href="/problems">All problems</a></p>`
    return reply.type('text/html; charset=utf-8').send(page(code, text))
  })
}

function entryOf(bank: Bank, code: ProblemCode) {
  const { status, title } = catalog[code]
  const slug = problemSlug(code)
  const type = `${bank.issuer}/problems/${slug}`
  return { type, slug, code, status, title, retryable: isRetryable(code) }
}

function wantsPage(accept: string | undefined): boolean {
  return accept?.includes('text/html') ?? false
}
