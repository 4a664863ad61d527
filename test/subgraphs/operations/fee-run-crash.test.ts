/**
 * Wherever a run is cut off, it goes on from there, and in the end every account was charged exactly
 * once: by the items of the run, by the books, and by what was told.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Worker } from '../../../subgraphs/_kernel/worker.ts'
import { freeRun, leaseRun } from '../../../subgraphs/operations/store/fee-run.ts'
import { bankContext } from '../../../subgraphs/_kernel/worker.ts'
import { operations } from '../../../subgraphs/operations/index.ts'
import {
  aCustomer,
  accountFee,
  aFeeBank,
  anAccount,
  aProduct,
  ask,
  read,
  reverse,
  type FeeBank,
} from './fee-kit.ts'

let bank: FeeBank
let productId: string
let accounts: string[]
const count = 25
const worker = operations.workers.find(({ name }) => name === 'operations.run-fees') as Worker

beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  // Every cut is logged as the fault it is.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())
/** Undone after each test, also one that failed. */
let undo: (() => void)[] = []
afterEach(() => {
  for (const one of undo.toReversed()) one()
  undo = []
})

async function someAccounts() {
  productId = await aProduct(bank, accountFee)
  accounts = await Promise.all(
    Array.from({ length: count }, () => anAccount(bank, productId, { holds: '10.00' })),
  )
}

/** Small pages, so that a run has many checkpoints. */
function inPagesOf(size: number) {
  const { ask } = bank.bank
  bank.bank.ask = (document, variables) =>
    ask(document, 'first' in (variables as object) ? { ...variables, first: size } : variables)
  undo.push(() => void (bank.bank.ask = ask))
}

/** Lets the next commits of commands fail as if the process had ended: nothing after it happens. */
function pullThePlug(after: number) {
  const { commits } = bank.bank
  const { commit } = commits
  let left = after
  commits.commit = (statement) => {
    if (left-- > 0) return commit.call(commits, statement)
    return Promise.reject(new Error('The plug was pulled.'))
  }
  const plugIn = () => void (commits.commit = commit)
  undo.push(plugIn)
  return plugIn
}

const step = () => worker.run(bankContext(bank.bank))

/** Leases end by the clock of the database. */
const endLeases = () => bank.rows('update operations.fee_run set leased_until = null')

/** Works until nothing is left, with the lease of whoever died over. */
async function finish() {
  await endLeases()
  await bank.work()
}

async function expectChargedOnce(feeRunId: string, times = 1) {
  const entries = await bank.rows(
    `select account_id as id, count(*) filter (where side = 'debit')::int as charges from ledger.entry
     where account_id = any($1) group by 1`,
    [accounts],
  )
  expect(entries).toHaveLength(count)
  for (const { id, charges } of entries) expect([id, charges]).toEqual([id, times])
  const subjects = accounts.map((id) => `fee/${id}`)
  const told = (await bank.events()).filter(
    ({ type, subject }) => type === 'pricing.fee.charged' && subjects.includes(subject),
  )
  expect(told).toHaveLength(count * times)
  expect(await read(bank, feeRunId)).toMatchObject({
    status: 'COMPLETED',
    counts: { selected: count, charged: count, waived: 0, skipped: 0, failed: 0 },
    totals: [{ amount: '112.50', currency: 'EUR' }],
  })
}

describe('a run that is cut off', () => {
  // A page is one commit; the first one also begins the run.
  test.each([0, 1, 2, 3, 4, 5])('after %s commits goes on from there', async (commits) => {
    await someAccounts()
    inPagesOf(5)
    const { feeRunId } = await ask(bank, productId)
    const plugIn = pullThePlug(commits)
    await expect(
      (async () => {
        while ((await step()) > 0);
      })(),
    ).rejects.toThrow('The plug was pulled.')
    plugIn()
    // Somebody else cannot know that it died until its lease is over.
    expect(await step()).toBe(0)
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('between two workers: both do the same page, and it is done once', async () => {
    await someAccounts()
    const { feeRunId } = await ask(bank, productId)
    const slow = step()
    await endLeases()
    await Promise.all([slow, step(), step()])
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('a lease that is over frees nobody else’s', async () => {
    await someAccounts()
    const { feeRunId } = await ask(bank, productId)
    const context = bankContext(bank.bank)
    expect((await leaseRun(context, 'late', 15_000))!.feeRunId).toBe(feeRunId)
    // Whatever the clock of the sandbox says, it is held.
    bank.clock.advance(60_000)
    expect(await leaseRun(context, 'early', 15_000)).toBeNull()
    await bank.rows(`update operations.fee_run set leased_until = now() - interval '1 second'`)
    expect((await leaseRun(context, 'next', 15_000))!.feeRunId).toBe(feeRunId)
    await freeRun(context, 'late')
    expect(await leaseRun(context, 'third', 15_000)).toBeNull()
    await freeRun(context, 'next')
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('two runs of one fee at once charge each account once between them', async () => {
    await someAccounts()
    const [one, other] = await Promise.all([ask(bank, productId), ask(bank, productId)])
    await Promise.all([step(), step()])
    await finish()
    const runs = await Promise.all([read(bank, one.feeRunId), read(bank, other.feeRunId)])
    const sum = (name: string) => runs.reduce((all, { counts }) => all + counts[name], 0)
    expect([sum('charged'), sum('skipped'), sum('failed')]).toEqual([count, count, 0])
    const [{ charges }] = (await bank.rows(
      `select count(*)::int as charges from ledger.entry where account_id = any($1) and side = 'debit'`,
      [accounts],
    )) as [{ charges: number }]
    expect(charges).toBe(count)
  })

  test('by something that does not pass by itself has failed, and is taken up by hand', async () => {
    await someAccounts()
    inPagesOf(10)
    const { feeRunId } = await ask(bank, productId)
    await step()
    const { ask: whole } = bank.bank
    bank.bank.ask = () => Promise.reject(new Error('A bug.'))
    await bank.work()
    expect(await read(bank, feeRunId)).toMatchObject({
      status: 'FAILED',
      failureCode: 'INTERNAL',
      counts: { charged: 10 },
    })
    bank.bank.ask = whole
    expect(await step()).toBe(0)
    await bank.act(`mutation { resumeFeeRun(feeRunId: "${feeRunId}") { status } }`)
    await bank.work()
    await expectChargedOnce(feeRunId)
    const facts = (await bank.events()).filter(({ subject }) => subject === `fee-run/${feeRunId}`)
    expect(facts.map(({ type }) => type.split('.').at(-1))).toEqual([
      'scheduled',
      'started',
      'failed',
      'started',
      'completed',
    ])
  })

  test('a reversal too: after any commit it goes on, and gives back once', async () => {
    await someAccounts()
    const { feeRunId } = await ask(bank, productId)
    await bank.work()
    for (const commits of [0, 1]) {
      const reversal = await reverse(bank, feeRunId).catch(() => null)
      const plugIn = pullThePlug(commits)
      await expect(step()).rejects.toThrow('The plug was pulled.')
      plugIn()
      if (reversal) expect(reversal.status).toBe('SCHEDULED')
      await endLeases()
    }
    await finish()
    expect((await read(bank, feeRunId)).status).toBe('REVERSED')
    const [{ given }] = (await bank.rows(
      `select count(*)::int as given from ledger.posting_instruction where type = 'reversal' and status = 'accepted'
       and reverses_id in (select posting_instruction_id from operations.fee_run_item where fee_run_id = $1)`,
      [feeRunId],
    )) as [{ given: number }]
    expect(given).toBe(count)
  })
})

describe('every act on a run in every state', () => {
  const statuses = {
    SCHEDULED: null,
    RUNNING: "status = 'running'",
    COMPLETED: "status = 'completed'",
    COMPLETED_WITH_ERRORS: "status = 'completed-with-errors'",
    FAILED: "status = 'failed'",
    REVERSED: "status = 'reversed'",
  }
  const acts = {
    reverseFeeRun: ['COMPLETED', 'COMPLETED_WITH_ERRORS'],
    resumeFeeRun: ['FAILED'],
  }
  const cases = Object.entries(acts).flatMap(([act, allowed]) =>
    Object.entries(statuses).map(
      ([status, change]) => [act, status, change, allowed.includes(status)] as const,
    ),
  )

  test.each(cases)('%s when it is %s', async (act, status, change, isAllowed) => {
    const product = await aProduct(bank, accountFee)
    const { feeRunId } = await ask(bank, product)
    if (change) {
      await bank.rows(`update operations.fee_run set ${change} where fee_run_id = $1`, [feeRunId])
    }
    const count = async () =>
      (await bank.rows('select count(*)::int as runs from operations.fee_run'))[0]
    const [runs, events] = [await count(), (await bank.events()).length]
    const done = bank.act(`mutation { ${act}(feeRunId: "${feeRunId}") { feeRunId } }`)
    if (isAllowed) await expect(done).resolves.toBeDefined()
    else {
      await expect(done).rejects.toMatchObject({
        code: 'INVALID_STATE_TRANSITION',
        members: {
          currentState: status.toLowerCase().replaceAll('_', '-'),
          allowedStates: expect.any(Array),
        },
      })
      expect([await count(), (await bank.events()).length]).toEqual([runs, events])
    }
    await bank.rows(
      "update operations.fee_run set status = 'failed' where status in ('scheduled', 'running')",
    )
  })
})
