import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GraphQLSchema } from 'graphql'
import pino from 'pino'
import { expect, test } from 'vitest'
import { prepareEnvironments } from '../../host/environments.ts'
import { parseRole, type Role } from '../../host/role.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { createSources } from '../../host/sources.ts'
import type { StartOptions } from '../../host/start-options.ts'
import { parseConfig } from '../../kernel/environment/config.ts'

const known = ['parties', 'events']

test('derives the role of the process from the arguments', () => {
  const all = { hasGateway: true, subgraphs: known, mayEmbedDatabase: true }
  expect(parseRole([], known, [])).toEqual(all)
  expect(parseRole(['all'], known, [])).toEqual(all)
  expect(parseRole(['all'], known, ['events'])).toEqual({ ...all, subgraphs: ['parties'] })
  expect(parseRole(['gateway'], known, known)).toEqual({
    hasGateway: true,
    subgraphs: [],
    mayEmbedDatabase: false,
  })
  expect(parseRole(['subgraph', 'events'], known, known)).toEqual({
    hasGateway: false,
    subgraphs: ['events'],
    mayEmbedDatabase: false,
  })
})

test.each([
  [['server'], 'Start as: all | gateway | subgraph'],
  [['all', 'parties'], 'Start as: all | gateway | subgraph'],
  [['subgraph'], 'Subgraphs: parties events'],
  [['subgraph', 'party'], 'The subgraph party is unknown.'],
  [['subgraph', 'events', 'events'], 'named twice'],
])('rejects the arguments %j with an explanation', (args, words) => {
  expect(() => parseRole(args, known, [])).toThrow(words)
})

test('rejects unknown subgraphs and invalid URLs in the settings', () => {
  expect(() => parseRole([], known, ['ledger'])).toThrow(
    'SUBGRAPH_URLS names an unknown subgraph: ledger.',
  )
  expect(() => parseConfig({ SUBGRAPH_URLS: '{"parties":"here"}' })).toThrow('SUBGRAPH_URLS')
  expect(() => parseConfig({ PUBLIC_URL: 'https://bank.example/path' })).toThrow('PUBLIC_URL')
  expect(parseConfig({ PUBLIC_URL: 'https://bank.example' }).publicUrls.live).toBe(
    'https://bank.example',
  )
})

const parts = (role: Role, settings: Record<string, string>): StartOptions => ({
  config: parseConfig(settings),
  role,
  log: pino({ level: 'silent' }),
  onStop: () => undefined,
  onDrain: () => undefined,
})
const gateway = parseRole(['gateway'], known, [])

test('requires the URLs of shared databases for a gateway of its own', async () => {
  await expect(prepareEnvironments(parts(gateway, {}))).rejects.toThrow(
    /^DATABASE_URL and SANDBOX_DATABASE_URL must be set to the URL of the PostgreSQL/,
  )
  const liveOnly = { SANDBOX_PORT: 'off', DATABASE_URL: 'postgres://db/live' }
  expect(
    await prepareEnvironments(parts(gateway, { ...liveOnly, PUBLIC_URL: 'https://bank.example' })),
  ).toEqual([
    {
      name: 'live',
      port: 4000,
      address: 'https://bank.example',
      databaseUrl: 'postgres://db/live',
    },
  ])
})

test('rejects a subgraph that neither runs in this process nor has a URL', () => {
  const schemas = new Map([['events', new GraphQLSchema({})]])
  const request = () => createSources(parts(gateway, {}), schemas, [], {} as never)
  expect(request).toThrow('SUBGRAPH_URLS must have the URLs of these subgraphs: events.')
})

test('creates one set of secrets when processes start together on an empty folder', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-modes-'))
  const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(folder)))
  for (const secrets of all) expect(secrets).toEqual(all[0])
  await rm(folder, { recursive: true })
})
