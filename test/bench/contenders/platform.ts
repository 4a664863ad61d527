import type { GraphQLSchema } from 'graphql'
import pino from 'pino'
import { buildSubgraphs } from '../../../gateway/compose.ts'
import { createGraph, type Graph } from '../../../gateway/graph.ts'
import { LocalSource } from '../../../gateway/sources.ts'
import { openBank, type OpenBank } from '../../../host/open-bank.ts'
import { loadSecrets } from '../../../host/secrets.ts'
import { serve } from '../../../host/serve.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { everyScope } from '../../../kernel/domain/scopes.ts'

interface RunningPlatform {
  bank: Bank
  token: string
  /** Issues a token with every scope; of a client, or of a party that uses it. */
  issueToken(clientId: string, partyId?: string): string
}

/** The platform as it ships, on the database it is given: facade, gateway, subgraphs, commit, sequencer. */
export async function startPlatform(): Promise<RunningPlatform> {
  const { open, graph, port, ...platform } = await openPlatform(buildSubgraphs())
  await serve({ open, graph, host: '127.0.0.1', port, allowedOrigins: [] })
  return platform
}

/** The platform without a server, for a contender that has its own. */
export async function openPlatform(
  schemas: ReadonlyMap<string, GraphQLSchema>,
  environment: 'live' | 'sandbox' = 'live',
): Promise<RunningPlatform & { open: OpenBank; graph: Graph; port: number }> {
  const [databaseUrl, port, secretsDir] = process.argv.slice(2) as [string, string, string]
  const log = pino({ level: 'error' }, pino.destination(2))
  const sources = [...schemas].map(([name, schema]) => [name, new LocalSource(schema)] as const)
  const graph = await createGraph(new Map(sources), log)
  const open = await openBank({
    environment,
    config: parseConfig({ PORT: port, SANDBOX_PORT: 'off', ...databaseSettings(databaseUrl) }),
    databaseUrl,
    address: `http://127.0.0.1:${port}`,
    secrets: (await loadSecrets(secretsDir))[environment],
    graph,
    log,
  })
  const scope = everyScope.join(' ')
  const issueToken = (clientId: string, partyId?: string) =>
    open.authorizationServer.issueToken({
      clientId,
      scope,
      ttlSeconds: 3600,
      ...(partyId && { partyId }),
    })
  process.on('SIGINT', () => process.exit(0))
  process.on('message', () => process.send?.(process.cpuUsage()))
  const token = issueToken('bench')
  return { bank: open.bank, token, issueToken, open, graph, port: Number(port) }
}

/** The settings of a contender whose database is a pooler. */
function databaseSettings(databaseUrl: string): Record<string, string> {
  const { DATABASE_DIRECT_URL } = process.env
  return DATABASE_DIRECT_URL ? { DATABASE_URL: databaseUrl, DATABASE_DIRECT_URL } : {}
}
