/**
 * A run resumes wherever it was cut off, and in the end every account has been charged exactly once:
 * according to the items of the run, the ledger and the events.
 */
import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { type Worker, bankContext } from '../../../kernel/work/worker.ts'
import { releaseRun, leaseRun } from '../../../subgraphs/fees/store/fee-run.ts'
import { fees } from '../../../subgraphs/fees/index.ts'
import {
  aCustomer,
  accountFee,
  aFeeBank,
  anAccount,
  aProduct,
  startRun,
  read,
  reverse,
  type FeeBank,
} from './fee-kit.ts'

let bank: FeeBank
let productId: string
let accounts: string[]
const count = 25
const worker = fees.workers.find(({ name }) => name === 'operations.run-fees') as Worker

beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
})
afterAll(() => bank.drop())
/** Cleanups that run after each test, even one that failed. */
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
  const { queryGraph } = bank.bank
  bank.bank.queryGraph = (document, variables) =>
    queryGraph(
      document,
      'first' in (variables as object) ? { ...variables, first: size } : variables,
    )
  undo.push(() => void (bank.bank.queryGraph = queryGraph))
}

/** Fails every commit after the first few, as if the process had died. */
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

async function work() {
  while ((await step()) > 0);
}

/** Leases expire by the clock of the database. */
const endLeases = () => bank.rows('update operations.fee_run set leased_until = null')

/** Expires the lease of the dead worker, and works until nothing is left. */
async function finish() {
  await endLeases()
  await bank.work()
}

async function close(arrangementId: string) {
  for (const action of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
    await bank.act(`mutation { ${action}(arrangementId: "${arrangementId}") { state } }`)
  }
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
  const charges = (await bank.events()).filter(
    ({ type, subject }) => type === 'pricing.fee.charged' && subjects.includes(subject),
  )
  expect(charges).toHaveLength(count * times)
  expect(await read(bank, feeRunId)).toMatchObject({
    status: 'COMPLETED',
    counts: { selected: count, charged: count, waived: 0, skipped: 0, failed: 0 },
    totals: [{ amount: '112.50', currency: 'EUR' }],
  })
}

describe('interrupted fee run', () => {
  // A page is one commit; the first one also starts the run.
  test.each([0, 1, 2, 3, 4, 5])('resumes after %s commits', async (commits) => {
    await someAccounts()
    inPagesOf(5)
    const { feeRunId } = await startRun(bank, productId)
    const plugIn = pullThePlug(commits)
    await expect(work()).rejects.toThrow('The plug was pulled.')
    plugIn()
    // Nobody can know that the worker died until its lease has expired.
    expect(await step()).toBe(0)
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('records a charge that was posted before the crash, although the account is closed by now', async () => {
    productId = await aProduct(bank, accountFee)
    accounts = await Promise.all(
      Array.from({ length: 5 }, () => anAccount(bank, productId, { holds: '4.50' })),
    )
    const { feeRunId } = await startRun(bank, productId)
    // The run was started, and its page was posted but not recorded.
    const plugIn = pullThePlug(1)
    await expect(work()).rejects.toThrow('The plug was pulled.')
    plugIn()
    for (const arrangementId of accounts) await close(arrangementId)
    await finish()
    const counts = { selected: 5, charged: 5, waived: 0, skipped: 0, failed: 0 }
    const total = { amount: '22.50', currency: 'EUR' }
    expect(await read(bank, feeRunId)).toMatchObject({ counts, totals: [total] })
  })

  test('a rejected charge of an account that is closed by now is neither recorded nor owed', async () => {
    productId = await aProduct(bank, accountFee)
    const arrangementId = await anAccount(bank, productId)
    const { feeRunId } = await startRun(bank, productId)
    // The run was started, and the charge was rejected; it is not a receivable yet.
    const plugIn = pullThePlug(1)
    await expect(work()).rejects.toThrow('The plug was pulled.')
    plugIn()
    await close(arrangementId)
    await finish()
    expect((await read(bank, feeRunId)).counts).toMatchObject({
      selected: 0,
      charged: 0,
      failed: 0,
    })
    const owedSql = 'select from operations.fee_receivable where arrangement_id = $1'
    expect(await bank.rows(owedSql, [arrangementId])).toEqual([])
  })

  test('charges a page once when several workers process it', async () => {
    await someAccounts()
    const { feeRunId } = await startRun(bank, productId)
    const slow = step()
    await endLeases()
    await Promise.all([slow, step(), step()])
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('cannot release the lease of another worker with an expired one', async () => {
    await someAccounts()
    const { feeRunId } = await startRun(bank, productId)
    const context = bankContext(bank.bank)
    expect((await leaseRun(context, 'late', 15_000))!.feeRunId).toBe(feeRunId)
    // The sandbox clock has no effect on leases.
    bank.clock.advance(60_000)
    expect(await leaseRun(context, 'early', 15_000)).toBeNull()
    await bank.rows(`update operations.fee_run set leased_until = now() - interval '1 second'`)
    expect((await leaseRun(context, 'next', 15_000))!.feeRunId).toBe(feeRunId)
    await releaseRun(context, 'late')
    expect(await leaseRun(context, 'third', 15_000)).toBeNull()
    await releaseRun(context, 'next')
    await finish()
    await expectChargedOnce(feeRunId)
  })

  test('two concurrent runs of one fee charge each account once between them', async () => {
    await someAccounts()
    const [one, other] = await Promise.all([startRun(bank, productId), startRun(bank, productId)])
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

  test('fails on a permanent error, and is resumed by hand', async () => {
    await someAccounts()
    inPagesOf(10)
    const { feeRunId } = await startRun(bank, productId)
    await step()
    const { queryGraph: complete } = bank.bank
    bank.bank.queryGraph = () => Promise.reject(new Error('A bug.'))
    await bank.work()
    expect(await read(bank, feeRunId)).toMatchObject({
      status: 'FAILED',
      failureCode: 'INTERNAL',
      counts: { charged: 10 },
    })
    bank.bank.queryGraph = complete
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

  test('a reversal resumes after any commit as well, and refunds once', async () => {
    await someAccounts()
    const { feeRunId } = await startRun(bank, productId)
    await bank.work()
    expect((await reverse(bank, feeRunId)).status).toBe('SCHEDULED')
    for (const commits of [0, 1]) {
      const plugIn = pullThePlug(commits)
      await expect(work()).rejects.toThrow('The plug was pulled.')
      plugIn()
      await expect(reverse(bank, feeRunId)).rejects.toMatchObject({ code: 'STATE_CONFLICT' })
      await endLeases()
    }
    await finish()
    expect((await read(bank, feeRunId)).status).toBe('REVERSED')
    const [{ provided }] = (await bank.rows(
      `select count(*)::int as provided from ledger.posting_instruction where type = 'reversal' and status = 'accepted'
       and reverses_id in (select posting_instruction_id from operations.fee_run_item where fee_run_id = $1)`,
      [feeRunId],
    )) as [{ provided: number }]
    expect(provided).toBe(count)
  })
})
