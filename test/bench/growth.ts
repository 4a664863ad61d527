import type { EmbeddedPostgres } from '../../host/embedded-postgres.ts'
import { migrate } from '../../host/migrate.ts'
import pg from 'pg'
import { subgraphs } from '../../subgraphs/index.ts'
import { addDays, dateOf, type LocalDate } from '../../kernel/domain/dates.ts'
import { advance } from './nights.ts'
import { grow, grown, sizesOf } from './growth-data.ts'
import { print, record } from './report.ts'
import {
  admin,
  isSmoke,
  load,
  median,
  post,
  secondsPerTurn,
  start,
  stop,
  type Contender,
} from './turns.ts'

const counts = isSmoke ? [200, 1000] : [1000, 100_000]
const repetitions = isSmoke ? 3 : 100
const goal = 1.3
let serial = 0

/** A bank with some rows of each kind. */
interface Bank {
  count: number
  url: string
  contender: Contender
  /** A connection that is not one of the process. */
  database: pg.Client
  /** The position in the middle of the event log. */
  middle: number
  /** The day to which the clock was moved. */
  day: LocalDate
}

/** What a request costs in banks that differ in how much they have kept: it must not grow with it. */
export async function benchGrowth(
  server: EmbeddedPostgres,
  folder: string,
  rows: number | null,
): Promise<void> {
  const sizes = rows === null ? counts : [...counts, rows]
  await server.ensureDatabase('growth_seed')
  await migrate(server.url('growth_seed'))
  const seeding = await start('fixtures', server.url('growth_seed'), folder)
  for (const arrangementId of [grown.accountId, grown.otherId]) {
    await query(
      seeding,
      `mutation { openAccountArrangement(input: { arrangementId: "${arrangementId}", customerId: "cus_ada",
        productId: "prd_current", currency: "EUR" }) { arrangementId } }`,
    )
  }
  await stop(seeding)
  const banks: Bank[] = []
  try {
    for (const count of sizes) {
      await admin(server, `create database growth_${count} template growth_seed`)
      const url = server.url(`growth_${count}`)
      await grow(url, count)
      const contender = await start('growth', url, folder)
      const database = new pg.Client({ connectionString: url })
      await database.connect()
      banks.push({
        count,
        url,
        contender,
        database,
        middle: Math.floor(count / 2),
        day: dateOf(new Date()),
      })
    }
    print(
      `Milliseconds for a request, one after the other, with ${sizes.join(', ')} rows of each kind`,
    )
    for (const [what, request] of Object.entries(requests)) await compare(what, request, banks)
    await measureBytes(banks[0]!)
    await Promise.all(banks.map(({ contender }) => stop(contender)))
    for (const bank of banks) bank.contender = await start('nights', bank.url, folder)
    await compare('an end of day of the fixtures', endDay, banks, isSmoke ? [0, 1] : [1, 9])
  } finally {
    await Promise.all(banks.map(({ database }) => database.end()))
    await Promise.all(banks.map(({ contender }) => stop(contender)))
  }
}

/** Moves the clock of a bank, which is a sandbox now, to the next day, and waits for its nightly run. */
async function endDay(bank: Bank): Promise<void> {
  bank.day = addDays(bank.day, 1)
  await advance(bank.contender, bank.day)
}

type Request = (bank: Bank) => Promise<unknown>

const requests: Record<string, Request> = {
  'a write (POST /notifications)': ({ contender }) =>
    send(contender, '/notifications', {
      partyId: grown.partyId,
      channel: 'secure-message',
      templateCode: 'tpl_welcome',
      sendAt: new Date(Date.now() + 86_400_000).toISOString(),
    }),
  'a posting (POST /posting-instructions)': ({ contender }) =>
    send(contender, '/posting-instructions', transfer()),
  'a page of 50 notifications': ({ contender }) =>
    query(
      contender,
      '{ notifications(first: 50) { nodes { notificationId status party { displayName } } } }',
    ),
  'a balance, now and a year ago': ({ contender }) =>
    query(
      contender,
      `{ now: balance(arrangementId: "${grown.accountId}") { available }
        then: balance(arrangementId: "${grown.accountId}", asOf: "${daysAgo(365)}T00:00:00Z") { committed } }`,
    ),
  'a statement of 100 entries': ({ contender }) =>
    query(
      contender,
      `{ accountArrangement(arrangementId: "${grown.accountId}") {
        statement(from: "${daysAgo(28)}", to: "${daysAgo(1)}") { closingBalance entries { amount } } } }`,
    ),
  'a page of 50 payments in a state': ({ contender }) =>
    query(contender, '{ payments(state: SETTLED, first: 50) { nodes { paymentId state } } }'),
  'the first page of 50 events of a party': ({ contender }) =>
    query(
      { ...contender, token: contender.tokens[1]! },
      '{ businessEvents(first: 50) { nodes { position type subjectId time } } }',
    ),
  'the audit trail of a record': ({ contender, middle }) =>
    query(
      contender,
      `{ auditTrail(subject: "party/pty_grown_${String(middle).padStart(8, '0')}", first: 50) {
        nodes { eventId type at actor } } }`,
    ),
  'the trial balance': ({ contender }) =>
    query(contender, '{ trialBalance(currency: "EUR") { accounts { code } } }'),
  'the trial balance at the end of a day 300 days ago': ({ contender }) =>
    query(
      contender,
      `{ trialBalance(currency: "EUR", asOf: "${daysAgo(300)}T23:59:59.999Z") { accounts { code debit } } }`,
    ),
  'what the workers look for each second': ({ database }) =>
    database.query({ name: 'due', text: dueSql, values: [new Date()] }),
  'an event resume in the middle of the log': ({ contender, middle }) =>
    query(
      contender,
      `{ businessEvents(after: "${middle}", first: 50) { nodes { position type subjectId time } } }`,
    ),
}

/** Whether work is due, as the heartbeat of a process reads it for all of its workers. */
const dueSql = `select $1::timestamptz, ${subgraphs
  .flatMap(({ workers }) => workers.flatMap(({ isDueSql }) => (isDueSql ? [`(${isDueSql})`] : [])))
  .join(', ')}`

const daysAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10)

const transfer = () => ({
  debtorArrangementId: grown.accountId,
  creditorArrangementId: grown.otherId,
  amount: { amount: '0.01', currency: 'EUR' },
})

async function compare(
  what: string,
  request: Request,
  banks: readonly Bank[],
  [warmUps, repeated]: readonly [number, number] = [5, repetitions],
): Promise<void> {
  const times = new Map(banks.map((bank) => [bank, [] as number[]]))
  for (let at = -warmUps; at < repeated; at++) {
    for (const bank of banks) {
      const from = performance.now()
      await request(bank)
      if (at >= 0) times.get(bank)!.push(performance.now() - from)
    }
  }
  const [smallest, ...others] = banks
  const least = median(times.get(smallest!)!)
  for (const bank of others) {
    const ms = median(times.get(bank)!)
    record({
      what,
      value: `${ms.toFixed(2)} ms with ${bank.count.toLocaleString('en')} rows`,
      peer: `${least.toFixed(2)} ms with ${smallest!.count.toLocaleString('en')} rows`,
      ratio: ms / least,
      goal: `at most ${goal}`,
      isMet: ms / least <= goal,
    })
  }
}

/** What the database keeps of a notification and of a posting: rows, indexes, events, keys and responses. */
async function measureBytes({ url, contender }: Bank): Promise<void> {
  const seconds = secondsPerTurn
  const before = await sizesOf(url)
  const sendAt = new Date(Date.now() + 86_400_000).toISOString()
  const notification = {
    partyId: grown.partyId,
    channel: 'secure-message',
    templateCode: 'tpl_welcome',
    sendAt,
  }
  await load(
    post(contender, '/notifications', 8, () => notification),
    seconds,
  )
  const between = await sizesOf(url)
  await load(post(contender, '/posting-instructions', 8, transfer), seconds)
  const after = await sizesOf(url)
  const bytes = (from: typeof before, to: typeof before, kind: 'notifications' | 'postings') =>
    `${Math.round((to.bytes - from.bytes) / Math.max(1, to[kind] - from[kind]))} bytes`
  record({ what: 'kept of a notification', value: bytes(before, between, 'notifications') })
  record({ what: 'kept of a posting', value: bytes(between, after, 'postings') })
}

const headersOf = ({ token }: Contender) => ({
  authorization: `Bearer ${token}`,
  'content-type': 'application/json',
})

async function send(contender: Contender, path: string, body: object): Promise<void> {
  const key = { 'idempotency-key': `growth-${process.pid}-${++serial}` }
  const answer = await fetch(contender.url + path, {
    method: 'POST',
    headers: { ...headersOf(contender), ...key },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${text}`)
}

async function query(contender: Contender, document: string): Promise<void> {
  const answer = await fetch(`${contender.url}/graphql`, {
    method: 'POST',
    headers: headersOf(contender),
    body: JSON.stringify({ query: document }),
  })
  const text = await answer.text()
  if (text.includes('"errors"')) throw new Error(text)
}
