/** Concurrent movements on one account: from one process, from several, and from commands that book. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { command, eventRow } from '../../../kernel/writing/command.ts'
import { statement } from '../../../kernel/writing/commit.ts'
import type { DomainEvent } from '../../../kernel/events/events.ts'
import type { Write } from '../../../kernel/writing/writes.ts'
import { decideBooking } from '../../../ledger/book.ts'
import { checkLedger } from '../../../ledger/check.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { readBalanceAmounts } from '../../../ledger/entries.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { eventually } from '../../kit/eventually.ts'
import { aSubgraph, type TestBank, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, pay, post } from '../payments/kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

function inbound(accountId: string, amountMinor: bigint): Posting {
  const instruction = {
    ...termsAt(bank.bank.now()),
    type: 'inbound-hard-settlement' as const,
    accountId,
    contraId: 'settlement/EUR',
    money: { amountMinor, currency: 'EUR' },
  }
  return { instruction, narrative: noNarrative }
}

let serial = 0

/** Books as a drawdown or a transfer does: within the commit of a command. Returns the number of attempts. */
async function bookInCommand(process: TestBank, accountId: string, amountMinor: bigint) {
  let attempts = 0
  const context = contextOf(process)
  await command(context, 'drawdown', { serial: ++serial }, async () => {
    attempts++
    const { writes, events } = await decideBooking(context, [inbound(accountId, amountMinor)])
    return { result: null, writes, events }
  })
  return attempts
}

async function committed(accountId: string): Promise<bigint> {
  const standings = await readBalanceAmounts(bank.bank.pool, [accountId])
  return standings.get(accountId)!.committedMinor
}

const sound = () => checkLedger(bank.bank.pool)

test('decides a group again when the group it builds on failed because of another process', async () => {
  await anAccount(bank, 'arr_aba')
  await post(bank, pay('arr_aba', '1.00'))
  // Another process books on the account and holds its row lock until it commits.
  const other = contextOf(bank.another())
  const booked = await decideBooking(other, [inbound('arr_aba', 50n)])
  const client = new pg.Client(bank.bank.pool.options as pg.ClientConfig)
  await client.connect()
  await client.query('begin')
  const events = booked.events.map((event, at) => eventRow(other, event, at, bank.bank.now()))
  await client.query(
    statement({ claims: [], writes: booked.writes, events, facts: [] }, bank.bank.cipher),
  )
  // Two groups of this process, both sent: the second is decided on the balances that the first would leave.
  const first = post(bank, pay('arr_aba', '10.00'))
  await eventually(async () => {
    const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    return (await bank.rows(waiting)).length > 0
  })
  const second = post(bank, pay('arr_aba', '20.00'))
  await new Promise((resolve) => setTimeout(resolve, 50))
  await client.query('commit')
  await client.end()
  expect([(await first).errors, (await second).errors]).toEqual([[], []])
  expect(await committed('arr_aba')).toBe(100n + 50n + 1000n + 2000n)
  expect(await sound()).toEqual([])
})

test('queues commands that book behind the postings of their process, and decides each once', async () => {
  await anAccount(bank, 'arr_hot')
  let isOver = false
  const postings = Array.from({ length: 16 }, async () => {
    let done = 0
    for (; !isOver; done++) expect((await post(bank, pay('arr_hot', '0.01'))).errors).toEqual([])
    return done
  })
  const attempts = await Promise.all(
    Array.from({ length: 40 }, () => bookInCommand(bank, 'arr_hot', 100n)),
  )
  isOver = true
  const posted = (await Promise.all(postings)).reduce((sum, done) => sum + done, 0)
  expect(attempts).toEqual(attempts.map(() => 1))
  expect(posted).toBeGreaterThan(0)
  expect(await committed('arr_hot')).toBe(4000n + BigInt(posted))
  expect(await sound()).toEqual([])
})

test('completes every posting and command on one account from several processes', async () => {
  await anAccount(bank, 'arr_shared')
  const processes = [bank, bank.another(), bank.another()]
  let isOver = false
  const postings = processes.flatMap((process) =>
    Array.from({ length: 6 }, async () => {
      let done = 0
      for (; !isOver; done++) {
        expect((await post(process, pay('arr_shared', '0.01'))).errors).toEqual([])
      }
      return done
    }),
  )
  const commands = processes.flatMap((process) =>
    Array.from({ length: 20 }, () => bookInCommand(process, 'arr_shared', 100n)),
  )
  await Promise.all(commands)
  isOver = true
  const posted = (await Promise.all(postings)).reduce((sum, done) => sum + done, 0)
  expect(await committed('arr_shared')).toBe(6000n + BigInt(posted))
  expect(await sound()).toEqual([])
})

test('books a key once that every process repeats while they collide on the account', async () => {
  await anAccount(bank, 'arr_repeated')
  const processes = [bank, bank.another(), bank.another()]
  const keys = Array.from({ length: 120 }, (_, at) => `repeated-${at}`)
  // Each process sends the keys in another order, so that groups mix new and used keys.
  const sent = processes.flatMap((process, offset) =>
    keys.map(async (_, at) => {
      const idempotencyKey = keys[(at * 7 + offset * 40) % keys.length]!
      const answer = await post(process, pay('arr_repeated', '0.01'), { idempotencyKey })
      expect(answer.errors).toEqual([])
      return `${idempotencyKey} ${JSON.stringify(answer.data)}`
    }),
  )
  const answers = new Set(await Promise.all(sent))
  expect(answers.size).toBe(keys.length)
  expect(await committed('arr_repeated')).toBe(BigInt(keys.length))
  expect(await sound()).toEqual([])
})

test('does not deadlock when commands book two accounts in opposite orders', async () => {
  await anAccount(bank, 'arr_left')
  await anAccount(bank, 'arr_right')
  const both = (ids: string[]) => {
    const context = contextOf(bank)
    return command(context, 'both', { serial: ++serial }, async () => {
      const [writes, events] = [[] as Write[], [] as DomainEvent[]]
      // In two calls, as a command that does not know its accounts in advance.
      for (const id of ids) {
        const booked = await decideBooking(context, [inbound(id, 1n)])
        writes.push(...booked.writes)
        events.push(...booked.events)
      }
      return { result: null, writes, events }
    })
  }
  const orders = [
    ['arr_left', 'arr_right'],
    ['arr_right', 'arr_left'],
  ]
  await Promise.all(Array.from({ length: 30 }, (_, at) => both(orders[at % 2]!)))
  expect([await committed('arr_left'), await committed('arr_right')]).toEqual([30n, 30n])
  expect(await sound()).toEqual([])
})
