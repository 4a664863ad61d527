import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import type { Bank } from '../kernel/environment/bank.ts'
import { minuteMs } from '../kernel/domain/dates.ts'
import type { CompiledRoute } from './compiled-route.ts'
import { asyncapi } from './asyncapi.ts'
import { brunoCollection } from './collections/bruno.ts'
import { collectionOf, type Collection } from './collections/collection.ts'
import { postmanCollection } from './collections/postman.ts'
import { eventsPage } from './events-page.ts'
import type { JsonSchema } from './json-schema.ts'
import { openapi } from './openapi.ts'

const assets = { 'swagger-ui.css': 'text/css', 'swagger-ui-bundle.js': 'text/javascript' } as const

/** The collections of requests to download, by path. */
const collections: Readonly<Record<string, (collection: Collection) => JsonSchema>> = {
  '/postman.json': postmanCollection,
  '/bruno.json': brunoCollection,
}

/**
 * Serves the OpenAPI document at `/openapi.json`, collections of requests at `/postman.json` and
 * `/bruno.json`, the API reference at `/docs`, and the event catalog at `/asyncapi.json` and
 * `/events`. The pages load nothing from other hosts.
 */
export function serveDocs(
  app: FastifyInstance,
  bank: Bank,
  routes: readonly CompiledRoute[],
): void {
  const contract = onceAMinute(bank, () => openapi(bank, routes))
  app.get('/openapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(contract()),
  )
  for (const [path, render] of Object.entries(collections)) {
    const collection = onceAMinute(bank, () =>
      render(collectionOf(openapi(bank, routes), bank.now(), new Date())),
    )
    app.get(path, (_request, reply) =>
      reply
        .type('application/json; charset=utf-8')
        .header('content-disposition', `attachment; filename="bankgraph-${path.slice(1)}"`)
        .send(collection()),
    )
  }
  const events = JSON.stringify(asyncapi(bank))
  app.get('/asyncapi.json', (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(events),
  )
  const catalog = eventsPage()
  app.get('/events', (_request, reply) => reply.type('text/html; charset=utf-8').send(catalog))
  app.get('/docs', (_request, reply) => reply.type('text/html; charset=utf-8').send(docsPage))
  const folder = createRequire(import.meta.url).resolve('swagger-ui-dist/package.json')
  for (const [name, type] of Object.entries(assets)) {
    const content = readFileSync(join(folder, '..', name))
    app.get(`/docs/${name}`, (_request, reply) =>
      reply
        .type(`${type}; charset=utf-8`)
        .header('cache-control', 'public, max-age=86400')
        .send(content),
    )
  }
}

/**
 * Returns a function that returns a document. The document is rendered at most once a minute,
 * because its examples have current dates.
 */
function onceAMinute(bank: Bank, render: () => JsonSchema): () => string {
  let rendered = { minute: Number.NaN, text: '' }
  return () => {
    const minute = Math.floor(bank.now().getTime() / minuteMs)
    if (rendered.minute !== minute) rendered = { minute, text: JSON.stringify(render()) }
    return rendered.text
  }
}

const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width,initial-scale=1">
<title>API reference · bankgraph</title>
<link rel="stylesheet" href="/docs/swagger-ui.css">
<link rel="icon" href="data:,">
</head>
<body>
<div id="docs"></div>
<script src="/docs/swagger-ui-bundle.js"></script>
<script>
SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#docs',
  deepLinking: true,
  tryItOutEnabled: true,
  persistAuthorization: true,
  validatorUrl: null,
})
</script>
</body>
</html>
`
