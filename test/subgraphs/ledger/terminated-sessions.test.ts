/**
 * A database session ends when the server restarts, fails over, or an administrator terminates it. A
 * command that holds locks loses its transaction with it, at any stage: the process survives, the
 * caller is told to retry, nothing is lost or duplicated, and the pools keep all their connections.
 */
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { command } from '../../../kernel/writing/command.ts'
import { createContext } from '../../../kernel/environment/context.ts'
import { isRetryable } from '../../../kernel/domain/problem.ts'
import { problemOf } from '../../../kernel/graph/errors.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { decideBooking, requireBooked } from '../../../ledger/book.ts'
import { noNarrative, termsAt } from '../../../ledger/journal.ts'
import { accountQueuesOf } from '../../../ledger/turns.ts'
import { eventually } from '../../kit/eventually.ts'
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import { aBankWithMoney, findings, standing } from '../payments/payments-kit.ts'

let bank: RunningSubgraph
/** Another session, whose locks a command runs into. */
let other: pg.Client
/** Inspects and terminates sessions; within one transaction pg_stat_activity would never change. */
let admin: pg.Client
const crashes: unknown[] = []
const crashed = (error: unknown) => void crashes.push(error)

beforeAll(async () => {
  bank = await aBankWithMoney()
  // As after a collision, which is remembered for a second: a busy machine may need longer.
  vi.spyOn(accountQueuesOf(bank.bank), 'shouldLock', 'get').mockReturnValue(true)
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

/** Terminates the bank's sessions that match the condition; returns how many there were. */
async function endSessions(condition: string): Promise<number> {
  const { rowCount } = await admin.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where application_name = 'bankgraph' and datname = current_database() and ${condition}`,
  )
  return rowCount!
}
/** Terminates the one session that matches the condition, as soon as there is one. */
const endSession = (condition: string) =>
  eventually(async () => (await endSessions(condition)) === 1, 5000)

let keys = 0
/** Moves 0.01 from Ada to Grace in a command that holds locks; `meanwhile` runs before its first commit. */
async function transition(
  isKeyed: boolean,
  meanwhile: () => Promise<unknown> = async () => undefined,
) {
  const idempotencyKey = isKeyed ? `key-${++keys}` : undefined
  const { envelope } = bankContext(bank.bank)
  const context = createContext(bank.bank, aCaller(), { ...envelope, idempotencyKey })
  let isFirst = true
  try {
    return await command(context, 'test.move', {}, async () => {
      const instruction = {
        ...termsAt(context.now()),
        type: 'transfer' as const,
        debtorId: 'arr_ada',
        creditorId: 'arr_grace',
        money: { amountMinor: 1n, currency: 'EUR' },
        creditorMoney: null,
      }
      const booked = await decideBooking(context, [{ instruction, narrative: noNarrative }])
      requireBooked(booked)
      expect(context.commands.current!.transaction, 'the command holds locks').not.toBeNull()
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

/** Checks for everything that a lost session could leave behind. */
async function expectComplete() {
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
  const transitions = await Promise.all(Array.from({ length: 12 }, () => transition(true)))
  expect(transitions).toEqual(Array.from({ length: 12 }, () => 'moved'))
  expect(await held()).toBe(before + 12)
}

/** Brings a command to a stage and terminates its session there. */
const stages: [string, (isKeyed: boolean) => Promise<unknown>][] = [
  [
    'while it waits for a lock',
    async (isKeyed) => {
      await other.query('begin')
      await other.query("select 1 from ledger.balance where account_id = 'arr_ada' for update")
      const transitioning = transition(isKeyed)
      await endSession("wait_event_type = 'Lock'")
      await other.query('rollback')
      return transitioning
    },
  ],
  [
    'while it holds locks and decides',
    (isKeyed) => transition(isKeyed, () => endSession("state = 'idle in transaction'")),
  ],
  [
    'just before it commits',
    (isKeyed) =>
      transition(isKeyed, async () => {
        // Not awaited: the termination and the commit race.
        void endSessions("state = 'idle in transaction'")
      }),
  ],
  [
    'while it commits',
    async (isKeyed) => {
      await other.query('begin')
      await other.query('lock table kernel.outbox in access exclusive mode')
      const transitioning = transition(isKeyed)
      await endSession("wait_event_type = 'Lock'")
      await other.query('rollback')
      return transitioning
    },
  ],
]

describe.each(stages)('command whose database session is terminated %s', (_stage, ended) => {
  test('without a key: moves the money once, or returns a retryable 503 and moves nothing', async () => {
    // One round more than there are connections for locking.
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
    await expectComplete()
  })

  test('with a key: is retried and moves the money once', async () => {
    for (let round = 0; round < 5; round++) {
      const before = await held()
      expect(await ended(true)).toBe('moved')
      expect(await held()).toBe(before + 1)
    }
    await expectComplete()
  })
})

test('the bank survives the termination of all its idle sessions', async () => {
  await Promise.all(Array.from({ length: 12 }, () => transition(true)))
  await bank.bank.db.$queryRaw`select 1`
  const pools = [bank.bank.pool, bank.bank.locks]
  // New connections may open at once, so the number that is left says nothing.
  let removed = 0
  for (const pool of pools) pool.on('remove', () => removed++)
  for (let round = 0; round < 3; round++) {
    const open = pools.reduce((sum, { totalCount }) => sum + totalCount, removed)
    expect(await endSessions('true')).toBeGreaterThan(1)
    await eventually(() => removed >= open, 5000)
    await expectComplete()
  }
})
