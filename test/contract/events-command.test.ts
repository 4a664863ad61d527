// The command line tools for listening to events and triggering them, against a real server and receiver.
import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Webhook } from 'standardwebhooks'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { knownEvents } from '../../kernel/events/events.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { triggers } from '../../sdk/cli/triggers.ts'
import { eventually, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { aReceiver, type Receiver } from '../subgraphs/events/receiver.ts'

let bank: Platform
let dataDir: string
let receiver: Receiver
beforeAll(async () => {
  bank = await aSeededPlatform()
  dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-events-'))
  const credentials = JSON.stringify({ sandbox: bank.credentials })
  await writeFile(join(dataDir, 'credentials.json'), credentials)
  receiver = await aReceiver()
})
afterAll(async () => {
  await bank.stop()
  await receiver.close()
  await rm(dataDir, { recursive: true, force: true })
})

function events(...args: string[]) {
  const child = spawn(
    process.execPath,
    ['--import', 'tsx', 'sdk/cli/bankgraph.ts', 'events', ...args],
    {
      cwd: projectRoot,
      env: { ...process.env, DATA_DIR: dataDir },
    },
  )
  const running = { out: '', notes: '', code: Promise.resolve<number | null>(null), child }
  child.stdout.on('data', (chunk: Buffer) => (running.out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (running.notes += chunk.toString()))
  running.code = new Promise((resolve) => child.on('close', (code) => resolve(code)))
  return running
}

test('`listen` prints each triggered event on one line and forwards it with a valid signature', async () => {
  const listening = events(
    'listen',
    '--forward-to',
    receiver.url,
    '--types',
    'parties.*',
    '--count',
    '2',
  )
  const secret = await eventually(() => /whsec_\S+/.exec(listening.notes)?.[0], 15_000)
  // It connects right after it printed the secret.
  await eventually(() => bank.bank.events.waitingReaderCount > 1)
  const trying = events('trigger', 'parties.customer.created')
  expect([await trying.code, trying.notes]).toEqual([0, ''])
  expect([await listening.code, listening.notes]).toEqual([
    0,
    expect.stringContaining(receiver.url),
  ])
  const lines = listening.out.trim().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines[0]).toMatch(/^\d+ \S+Z parties\.party\.created party\/trg_\w+ -> 204 \(\d+ ms\)$/)
  expect(lines[1]).toMatch(/parties\.customer\.created customer\/trg_/)
  for (const { body, headers } of receiver.got) {
    expect(new Webhook(secret).verify(body, headers)).toBeTruthy()
  }
  expect(receiver.got.map(({ event }) => event.type)).toEqual([
    'parties.party.created',
    'parties.customer.created',
  ])
})

test('`listen` resumes after a position; invalid arguments exit with code 1 and an explanation', async () => {
  const again = events('listen', '--after', '0', '--count', '3')
  expect(await again.code).toBe(0)
  expect(
    again.out
      .trim()
      .split('\n')
      .map((line) => line.split(' ')[0]),
  ).toEqual(['1', '2', '3'])
  const [unknown, nothing, live] = [
    events('trigger', 'nothing.at.all'),
    events(),
    events('trigger', 'parties.party.created', '--env', 'live'),
  ]
  expect([await unknown.code, unknown.notes]).toEqual([1, expect.stringContaining('Use one of: ')])
  expect([await nothing.code, nothing.notes]).toEqual([1, expect.stringContaining('listen')])
  expect(await live.code).toBe(1)
  const refused = events('listen', '--types', 'partys.*')
  expect([await refused.code, refused.notes]).toEqual([1, expect.stringContaining('partys.*')])
})

test('every trigger publishes its event', async () => {
  for (const type of Object.keys(triggers)) {
    expect(knownEvents.has(type)).toBe(true)
    const id = `trg_${type.replaceAll('.', '_')}`
    for (const query of triggers[type]!) {
      const { body } = await bank.graph(query, { id })
      expect(body.errors, type).toBeUndefined()
    }
    const subscription = `query ($types: [String!]) { businessEvents(types: $types, first: 200) { nodes { subjectId data } } }`
    await eventually(async () => {
      const { body } = await bank.graph(subscription, { types: [type] })
      return body.data.businessEvents.nodes.some((node: object) =>
        JSON.stringify(node).includes(id),
      )
    })
  }
})
