import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { parseRole } from '../../host/role.ts'
import { loadSecrets } from '../../host/secrets.ts'
import { parseConfig } from '../../subgraphs/_kernel/config.ts'
import { startProgram } from './kit.ts'

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

test('a part of the platform does not start without the shared database, or alone', async () => {
  const DATA_DIR = await mkdtemp(join(tmpdir(), 'bankgraph-modes-'))
  await expect(startProgram(['gateway'], { DATA_DIR })).rejects.toThrow(
    /^DATABASE_URL and SANDBOX_DATABASE_URL must name the PostgreSQL that all processes share/,
  )
  const DATABASE_URL = 'postgres://127.0.0.1:1/none'
  const settings = { DATA_DIR, DATABASE_URL, SANDBOX_PORT: 'off' }
  await expect(startProgram(['subgraph', 'events'], settings)).rejects.toThrow(
    /^SUBGRAPH_URLS must say where the subgraph \w+ is\.\n$/,
  )
  await rm(DATA_DIR, { recursive: true })
})

test('processes that start together on an empty folder share one set of secrets', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'bankgraph-modes-'))
  const all = await Promise.all(Array.from({ length: 5 }, () => loadSecrets(folder)))
  for (const secrets of all) expect(secrets).toEqual(all[0])
  await rm(folder, { recursive: true })
})
