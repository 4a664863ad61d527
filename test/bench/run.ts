import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import autocannon from 'autocannon'
import pg from 'pg'
import { startEmbeddedPostgres, type EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import { projectRoot } from '../../subgraphs/_kernel/root.ts'
import { freePort } from '../kit/free-port.ts'
import { readQuery } from './work.ts'

// Every path beside its limit, as ratios measured in one run: contenders take turns, so that what
// disturbs the machine disturbs all of them. Figures are medians over the rounds.
const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5)
const secondsPerTurn = Number(process.env['BENCH_SECONDS'] ?? 3)
const parties = 50
let serial = 0

interface Contender {
  name: string
  url: string
  token: string
  child: ChildProcess
}

const folder = await mkdtemp(join(projectRoot, '.cache-bench-'))
const postgres = await startEmbeddedPostgres({
  dataDir: join(folder, 'postgres'),
  log: () => undefined,
})
try {
  await run()
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}

async function run(): Promise<void> {
  const contenders = await startAll(postgres)
  try {
    const [bankgraph, bare, interactive] = contenders as [Contender, Contender, Contender]
    console.log(`POST /notifications, 32 connections, ${rounds} rounds of ${secondsPerTurn} s each`)
    const writes = await takeTurns(contenders, createLoad)
    print([
      ['bankgraph: facade, gateway, subgraph, commit', writes, bankgraph],
      ['(a) bare Fastify + pg, one statement', writes, bare],
      ['(b) Fastify + Prisma, interactive transaction', writes, interactive],
    ])
    console.log('\n50 notifications with their parties, 16 connections')
    const reads = await takeTurns([bankgraph, bare], readLoad)
    print([
      ['bankgraph: federated query over HTTP', reads, bankgraph],
      ['one SQL join behind bare Fastify', reads, bare],
    ])
  } finally {
    for (const { child } of contenders) child.kill('SIGTERM')
  }
}

/** Contenders start one after another on copies of one seeded database. */
async function startAll(server: EmbeddedPostgres): Promise<Contender[]> {
  await server.ensureDatabase('bench_seed')
  const seed = server.url('bench_seed')
  await migrate(seed)
  const seeding = await start('bankgraph', seed)
  await seedThrough(seeding)
  seeding.child.kill('SIGTERM')
  await new Promise((resolve) => seeding.child.once('exit', resolve))
  const contenders: Contender[] = []
  for (const name of ['bankgraph', 'bare', 'interactive']) {
    await admin(server, `create database bench_${name} template bench_seed`)
    contenders.push(await start(name, server.url(`bench_${name}`)))
  }
  return contenders
}

async function start(name: string, databaseUrl: string): Promise<Contender> {
  const port = await freePort()
  const script = join(projectRoot, 'test/bench/contenders', `${name}.ts`)
  const child = fork(script, [databaseUrl, String(port), folder], {
    execArgv: ['--import', 'tsx', '--max-semi-space-size=64'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const { token } = await new Promise<{ token: string }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as { token: string }))
    child.once('exit', (code) => reject(new Error(`${name} ended with ${code}.`)))
  })
  return { name, url: `http://127.0.0.1:${port}`, token, child }
}

/** Parties and a template, made through the platform's own operations. */
async function seedThrough({ url, token }: Contender): Promise<void> {
  const ask = async (query: string, variables: object) => {
    const answer = await fetch(`${url}/graphql`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ query, variables }),
    })
    const { errors } = (await answer.json()) as { errors?: { message: string }[] }
    if (errors) throw new Error(errors[0]!.message)
  }
  for (let at = 0; at < parties; at++) {
    await ask(
      `mutation ($id: ID!) { createParty(input: { partyId: $id, kind: PERSON, givenName: "A", familyName: "B",
        contactPoints: [{ channel: EMAIL, address: "a@example.com", verified: true }] }) { partyId } }`,
      { id: `pty_${at}` },
    )
  }
  await ask(
    `mutation { createNotificationTemplate(input: { templateId: "tpl_bench", channel: EMAIL, status: "active",
      subject: "Hello", body: "Hello {{name}}", variables: [{ name: "name", type: STRING, required: true }] }) { templateId } }`,
    {},
  )
}

async function admin(server: EmbeddedPostgres, sql: string): Promise<void> {
  const client = new pg.Client(server.url('postgres'))
  await client.connect()
  await client.query(sql)
  await client.end()
}

type Load = (contender: Contender) => autocannon.Options

/** Each with a key of its own; due tomorrow, so that delivery is not part of what is measured. */
function createLoad({ url, token }: Contender): autocannon.Options {
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  return {
    url,
    connections: 32,
    requests: [
      {
        method: 'POST',
        path: '/notifications',
        setupRequest: (request) => ({
          ...request,
          headers: {
            authorization: `Bearer ${token}`,
            'content-type': 'application/json',
            'idempotency-key': `bench-${process.pid}-${++serial}`,
          },
          body: JSON.stringify({
            partyId: `pty_${serial % parties}`,
            channel: 'email',
            templateCode: 'tpl_bench',
            personalization: { name: 'Ada' },
            sendAt,
          }),
        }),
      },
    ],
  }
}

function readLoad({ name, url, token }: Contender): autocannon.Options {
  if (name === 'bare') return { url: `${url}/notifications`, connections: 16 }
  return {
    url: `${url}/graphql`,
    connections: 16,
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ query: readQuery }),
  }
}

/** Requests a second of each contender, a figure per round. The first turn warms up and is not counted. */
async function takeTurns(contenders: readonly Contender[], load: Load) {
  const figures = new Map(contenders.map((contender) => [contender, [] as number[]]))
  for (let round = 0; round <= rounds; round++) {
    for (const contender of contenders) {
      const result = await autocannon({ ...load(contender), duration: secondsPerTurn })
      if (result.non2xx > 0 || result.errors > 0) {
        throw new Error(`${contender.name}: ${result.non2xx} refusals, ${result.errors} errors.`)
      }
      if (round > 0) figures.get(contender)!.push(result.requests.average)
    }
  }
  return figures
}

type Row = [label: string, figures: Map<Contender, number[]>, contender: Contender]

function print(rows: readonly Row[]): void {
  const own = rows[0]![1].get(rows[0]![2])!
  for (const [label, figures, contender] of rows) {
    const all = figures.get(contender)!
    const ratio = median(own.map((value, round) => value / all[round]!))
    const note = contender === rows[0]![2] ? '' : `   bankgraph / this = ${ratio.toFixed(2)}`
    console.log(`  ${label.padEnd(48)} ${median(all).toFixed(0).padStart(6)}/s${note}`)
  }
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
