/**
 * A database session ends when the server restarts, fails over, or somebody ends it. A command that
 * holds locks loses its transaction with it, at whatever stage it is: the process lives, the caller is told to
 * try again, nothing is lost or doubled, and the pools have all their connections.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { command } from '../../../subgraphs/_kernel/command.ts'
import { createContext } from '../../../subgraphs/_kernel/context.ts'
import { isRetryable, problemOf } from '../../../subgraphs/_kernel/graph/errors.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import { bookWith, requireBooked } from '../../../subgraphs/_ledger/book.ts'
import { noNarrative, termsAt } from '../../../subgraphs/_ledger/journal.ts'
import { linesOf } from '../../../subgraphs/_ledger/turns.ts'
import { eventually } from '../../kit/eventually.ts'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aBankWithMoney, findings, standing } from '../payments/payments-kit.ts'

let bank: RunningSubgraph
/** Somebody else, whose locks a command meets. */
let other: pg.Client
/** Who looks at sessions and ends them; in a transaction the first look would be the last. */
let admin: pg.Client
const crashes: unknown[] = []
const crashed = (error: unknown) => void crashes.push(error)

beforeAll(async () => {
  bank = await aBankWithMoney()
  const { connectionString } = bank.bank.pool.options
  other = new pg.Client({ connectionString, application_name: 'somebody else' })
  admin = new pg.Client({ connectionString, application_name: 'admin' })
  await Promise.all([other.connect(), admin.connect()])
  process.on('uncaughtException', crashed)
})
afterAll(async () => {
  process.off('uncaughtException', crashed)
  await Promise.all([other.end(), admin.end()])
  await bank.drop()
})

/** Ends the sessions of the bank that the condition is true of; answers how many there were. */
async function endSessions(condition: string): Promise<number> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'bankgraph' and datname = current_database() and ${condition}`,
  )
  return rowCount!
}
/** Ends the one session the condition is true of, as soon as there is one. */
const endSession = (condition: string) =>
  eventually(async () => (await endSessions(condition)) === 1, 5000)

let keys = 0
/** Moves 0.01 from Ada to Grace in a command that locks what it decides on; `meanwhile` happens before its first commit. */
async function move(isKeyed: boolean, meanwhile: () => Promise<unknown> = async () => undefined) {
  const idempotencyKey = isKeyed ? `key-${++keys}` : undefined
  const { envelope } = bankContext(bank.bank)
  const context = createContext(bank.bank, aCaller(), { ...envelope, idempotencyKey })
  let isFirst = true
  try {
    return await command(context, 'test.move', {}, async () => {
      linesOf(context.bank).collided()
      const instruction = {
        ...termsAt(context.now()),
        type: 'transfer' as const,
        debtorId: 'arr_ada',
        creditorId: 'arr_grace',
        money: { amountMinor: 1n, currency: 'EUR' },
        creditorMoney: null,
      }
      const booked = await bookWith(context, [{ instruction, narrative: noNarrative }])
      requireBooked(booked)
      expect(context.commands.current!.transaction, 'it holds locks').not.toBeNull()
      if (isFirst) await meanwhile()
      isFirst = false
      return { result: 'moved', writes: booked.writes, events: booked.events }
    })
  } catch (error) {
    const { code, status } = problemOf(error, bank.bank.log)
    return { code, status, retryable: isRetryable(code) }
  }
}

const held = async () => (await standing(bank, 'arr_grace')).committed

/** Everything that a lost session could have left behind. */
async function expectWhole() {
  expect(crashes).toEqual([])
  expect(await findings(bank)).toEqual([])
  for (const pool of [bank.bank.pool, bank.bank.locks]) {
    await eventually(() => pool.totalCount === pool.idleCount, 5000)
    expect(pool.waitingCount).toBe(0)
  }
  const open = await admin.query(
    `select 1 from pg_stat_activity where application_name = 'bankgraph'
     and datname = current_database() and state like 'idle in transaction%'`,
  )
  expect(open.rows).toEqual([])
  // More at once than there are connections for locking: none is missing.
  const before = await held()
  const moves = await Promise.all(Array.from({ length: 12 }, () => move(true)))
  expect(moves).toEqual(Array.from({ length: 12 }, () => 'moved'))
  expect(await held()).toBe(before + 12)
}

/** How a command is brought to a stage, and its session ended there. */
const stages: [string, (isKeyed: boolean) => Promise<unknown>][] = [
  [
    'while it waits for a lock',
    async (isKeyed) => {
      await other.query('begin')
      await other.query("select 1 from ledger.balance where account_id = 'arr_ada' for update")
      const moving = move(isKeyed)
      await endSession("wait_event_type = 'Lock'")
      await other.query('rollback')
      return moving
    },
  ],
  [
    'while it holds locks and decides',
    (isKeyed) => move(isKeyed, () => endSession("state = 'idle in transaction'")),
  ],
  [
    'just before it commits',
    (isKeyed) =>
      move(isKeyed, async () => {
        // Not awaited: the end of the session and the commit cross on the way.
        void endSessions("state = 'idle in transaction'")
      }),
  ],
  [
    'while it commits',
    async (isKeyed) => {
      await other.query('begin')
      await other.query('lock table kernel.outbox in access exclusive mode')
      const moving = move(isKeyed)
      await endSession("wait_event_type = 'Lock'")
      await other.query('rollback')
      return moving
    },
  ],
]

describe.each(stages)('a session that is ended %s', (_stage, ended) => {
  test('refuses a request without a key so that it may be sent again, and moves nothing or once', async () => {
    // Once more than there are connections for locking.
    for (let round = 0; round < 5; round++) {
      const before = await held()
      const outcome = await ended(false)
      const after = await held()
      if (outcome === 'moved') expect(after).toBe(before + 1)
      else {
        expect(outcome).toEqual({
          code: 'DEPENDENCY_UNAVAILABLE',
          status: 503,
          retryable: true,
        })
        expect(after).toBe(before)
      }
    }
    await expectWhole()
  })

  test('a request with a key is repeated, and moves once', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await held()
      expect(await ended(true)).toBe('moved')
      expect(await held()).toBe(before + 1)
    }
    await expectWhole()
  })
})

test('sessions that are ended while they are idle, all of them, cost nothing', async () => {
  await Promise.all(Array.from({ length: 12 }, () => move(true)))
  await bank.bank.db.$queryRaw`select 1`
  for (let round = 0; round < 3; round++) {
    expect(await endSessions('true')).toBeGreaterThan(1)
    const { pool, locks } = bank.bank
    await eventually(() => pool.totalCount + locks.totalCount === 0, 5000)
    await expectWhole()
  }
})
