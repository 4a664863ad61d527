import pino from 'pino'
import { buildSubgraphs } from '../../../gateway/compose.ts'
import { createGraph } from '../../../gateway/graph.ts'
import { LocalSource } from '../../../gateway/sources.ts'
import { openBank } from '../../../host/open-bank.ts'
import { loadSecrets } from '../../../host/secrets.ts'
import { serve } from '../../../host/serve.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { everyScope } from '../../../kernel/domain/scopes.ts'

/** The platform as it ships, on the database it is given: facade, gateway, subgraphs, commit, sequencer. */
export async function startPlatform(): Promise<{
  bank: Bank
  token: string
  issueToken(clientId: string): string
}> {
  const [databaseUrl, port, secretsDir] = process.argv.slice(2) as [string, string, string]
  const log = pino({ level: 'error' }, pino.destination(2))
  const sources = [...buildSubgraphs()].map(
    ([name, schema]) => [name, new LocalSource(schema)] as const,
  )
  const graph = await createGraph(new Map(sources), log)
  const open = await openBank({
    environment: 'live',
    config: parseConfig({ PORT: port, SANDBOX_PORT: 'off' }),
    databaseUrl,
    address: `http://127.0.0.1:${port}`,
    secrets: (await loadSecrets(secretsDir)).live,
    graph,
    log,
  })
  await serve({ open, graph, host: '127.0.0.1', port: Number(port), allowedOrigins: [] })
  const scope = everyScope.join(' ')
  const issueToken = (clientId: string) =>
    open.authorizationServer.issueToken({ clientId, scope, ttlSeconds: 3600 })
  process.on('SIGINT', () => process.exit(0))
  process.on('message', () => process.send?.(process.cpuUsage()))
  return { bank: open.bank, token: issueToken('bench'), issueToken }
}
