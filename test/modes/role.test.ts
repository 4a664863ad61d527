import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GraphQLSchema } from 'graphql'
import pino from 'pino'
import { expect, test } from 'vitest'
import { prepareEnvironments } from '../../host/environments.ts'
import { parseRole, type Role } from '../../host/role.ts'
import { loadSecrets, type Secrets } from '../../host/secrets.ts'
import { createSources } from '../../host/sources.ts'
import type { StartOptions } from '../../host/start-options.ts'
import { parseConfig } from '../../subgraphs/_kernel/config.ts'

const known = ['parties', 'events']

test('the role is what the arguments say', () => {
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
  [['subgraph', 'party'], 'There is no subgraph party'],
  [['subgraph', 'events', 'events'], 'named twice'],
])('%j is refused in words', (args, words) => {
  expect(() => parseRole(args, known, [])).toThrow(words)
})

test('addresses that are none are refused when the program starts', () => {
  expect(() => parseRole([], known, ['ledger'])).toThrow('there is no subgraph ledger')
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
})
const gateway = parseRole(['gateway'], known, [])

test('a part of the platform does not start without the shared databases', async () => {
  await expect(prepareEnvironments(parts(gateway, {}))).rejects.toThrow(
    /^DATABASE_URL and SANDBOX_DATABASE_URL must name the PostgreSQL that all processes share/,
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

test('a subgraph that is neither here nor anywhere is named', () => {
  const schemas = new Map([['events', new GraphQLSchema({})]])
  const asked = () => createSources(parts(gateway, {}), schemas, [], {} as Secrets)
  expect(asked).toThrow('SUBGRAPH_URLS must say where these subgraphs are: events.')
})

test('processes that start together on an empty folder share one set of secrets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-modes-'))
  const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(folder)))
  for (const secrets of all) expect(secrets).toEqual(all[0])
  await rm(folder, { recursive: true })
})
