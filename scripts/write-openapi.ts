import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { pino } from 'pino'
import { buildSubgraphs } from '../gateway/compose.ts'
import { createGraph } from '../gateway/graph.ts'
import { LocalSource } from '../gateway/sources.ts'
import { parseConfig } from '../kernel/environment/config.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import { compileRoute } from '../rest-facade/compiled-route.ts'
import { openapi } from '../rest-facade/openapi.ts'
import { routes } from '../rest-facade/routes.ts'

// Writes the OpenAPI document of the live environment for the client package, with fixed dates in the
// examples. With `--check` it only compares it with the committed file, and fails if they differ.
const path = join(projectRoot, 'sdk', 'openapi.json')
const exampleDate = new Date('2026-01-15T09:30:00.000Z')

const sources = [...buildSubgraphs()].map(
  ([name, schema]) => [name, new LocalSource(schema)] as const,
)
const graph = await createGraph(new Map(sources), pino({ level: 'silent' }))
const document = openapi(
  {
    environment: 'live',
    issuer: 'http://127.0.0.1:4000',
    config: parseConfig({}),
    now: () => exampleDate,
  },
  routes.map((route) => compileRoute(graph, route)),
)
const options = { ...(await resolveConfig(path)), filepath: path }
const text = await format(JSON.stringify(document), options)
if (!process.argv.includes('--check')) writeFileSync(path, text)
else if (readFileSync(path, 'utf8') !== text) {
  console.error('sdk/openapi.json is out of date: run npm run generate.')
  process.exitCode = 1
}
