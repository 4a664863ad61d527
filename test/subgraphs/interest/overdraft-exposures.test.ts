/** Since when customers have owed by overdrafts, through the whole graph. */
import 'reflect-metadata'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { accounts } from '../../../subgraphs/accounts/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { killedAfter, runToEnd } from './crash-kit.ts'
import {
  ada,
  anInterestBank,
  aProduct,
  eur,
  post,
  start,
  workerOf,
  type InterestBank,
} from './kit.ts'
import { aCurrentAccount, aCurrentProduct, approver, arrange, nightOf } from './overdraft-kit.ts'

let bank: InterestBank
let productId: string
beforeAll(async () => {
  bank = await anInterestBank()
  productId = await aCurrentProduct(bank, { annualRatePct: '0', unarrangedRatePct: '0' })
})
beforeEach(() => bank.clock.set(start))
afterAll(() => bank.drop())

const fields = `asOf overdrawn { amount } accruedInterest { amount } limit { amount }
  beyondLimit { amount } undrawn { amount } overdrawnSince beyondLimitSince daysPastDue`

const exposureOf = async (id: string, caller?: Parameters<InterestBank['act']>[2]) => {
  const query = `query ($id: ID!) { accountArrangement(arrangementId: $id) {
    overdraftExposure { ${fields} } } }`
  return (await bank.act(query, { id }, caller)).accountArrangement.overdraftExposure
}

const listed = async (filter = ''): Promise<string[]> => {
  const ids: string[] = []
  for (let after: string | null = null; ;) {
    const { overdraftExposures: page } = await bank.act(
      `query ($after: String) { overdraftExposures(first: 2, after: $after ${filter}) {
        nodes { arrangement { arrangementId } } pageInfo { hasNextPage endCursor } } }`,
      { after },
    )
    ids.push(...page.nodes.map(({ arrangement }: any) => arrangement.arrangementId))
    if (!page.pageInfo.hasNextPage) return ids
    after = page.pageInfo.endCursor
  }
}

const eventsOf = async (id: string) =>
  (await bank.events())
    .filter(({ subject }) => subject === `overdraft-exposure/${id}`)
    .map(({ type, data, parties }) => [type.split('.').at(-1), data!['asOf'], parties])

const pay = (id: string, amount: string, valueDate?: string) =>
  post(bank, id, 'OUT', amount, valueDate)

/** Books what the ledger does not check, as card payments that were approved elsewhere. */
const advise = (arrangementId: string, amount: string) =>
  bank.act(
    'mutation ($input: CreatePostingInstructionInput!) { createPostingInstruction(input: $input) { status } }',
    { input: { arrangementId, direction: 'OUT', amount: eur(amount), advice: true } },
    aCaller(),
  )

/** Lets the workers see the accounts that are overdrawn. */
const follow = async () => {
  const balances = accounts.workers.find(({ name }) => name === 'accounts.publish-balances')!
  for (const worker of [balances, workerOf('follow-overdrafts')]) {
    await bank.follow()
    await runToEnd(() => worker.run(bankContext(bank.bank)))
  }
}

describe('An account with a limit', () => {
  test('is past due from the day of the breach until it is cured', async () => {
    const id = await aCurrentAccount(bank, productId, '500.00')
    expect(await exposureOf(id)).toBeNull()
    await nightOf(bank, '2026-01-04')
    expect(await exposureOf(id)).toEqual({
      asOf: '2026-01-03',
      overdrawn: { amount: '0.00' },
      accruedInterest: { amount: '0.00' },
      limit: { amount: '500.00' },
      beyondLimit: { amount: '0.00' },
      undrawn: { amount: '500.00' },
      overdrawnSince: null,
      beyondLimitSince: null,
      daysPastDue: 0,
    })
    await pay(id, '400.00')
    await nightOf(bank, '2026-01-07')
    expect(await exposureOf(id)).toMatchObject({
      overdrawn: { amount: '400.00' },
      undrawn: { amount: '100.00' },
      overdrawnSince: '2026-01-04',
      beyondLimitSince: null,
      daysPastDue: 0,
    })
    expect(await eventsOf(id)).toEqual([])
    // The limit ends, so that the account is beyond it.
    await arrange(bank, id, '150.00', { validFrom: '2026-02-10' })
    await nightOf(bank, '2026-02-20')
    const breached = await exposureOf(id)
    expect(breached).toMatchObject({
      asOf: '2026-02-19',
      limit: { amount: '150.00' },
      beyondLimit: { amount: '250.00' },
      overdrawnSince: '2026-01-04',
      beyondLimitSince: '2026-02-10',
      daysPastDue: 10,
    })
    // The customer sees the same, and the list has the account.
    expect(await exposureOf(id, ada)).toEqual(breached)
    expect(await listed('minDaysPastDue: 10')).toEqual([id])
    expect(await listed('minDaysPastDue: 11')).toEqual([])
    await post(bank, id, 'IN', '260.00')
    await nightOf(bank, '2026-02-21')
    expect(await exposureOf(id)).toMatchObject({
      overdrawn: { amount: '140.00' },
      overdrawnSince: '2026-01-04',
      beyondLimitSince: null,
      daysPastDue: 0,
    })
    expect(await eventsOf(id)).toEqual([
      ['past-due', '2026-02-19', ['pty_ada']],
      ['cured', '2026-02-20', ['pty_ada']],
    ])
  })

  test('owes since another day after a back-dated posting', async () => {
    const id = await aCurrentAccount(bank, productId, '300.00')
    await pay(id, '200.00')
    await nightOf(bank, '2026-01-06')
    await post(bank, id, 'IN', '200.00')
    await nightOf(bank, '2026-01-08')
    await pay(id, '250.00')
    await nightOf(bank, '2026-01-20')
    expect(await exposureOf(id)).toMatchObject({ overdrawnSince: '2026-01-08', daysPastDue: 0 })
    // A fee of the past joins both times, and lets the second one be beyond the limit.
    await pay(id, '45.00', '2026-01-05')
    await advise(id, '10.00')
    await nightOf(bank, '2026-01-21')
    expect(await exposureOf(id)).toMatchObject({
      overdrawn: { amount: '305.00' },
      overdrawnSince: '2026-01-01',
      beyondLimitSince: '2026-01-20',
      daysPastDue: 1,
    })
    // The reverse: money that was there before.
    await post(bank, id, 'IN', '250.00', '2026-01-15')
    await nightOf(bank, '2026-01-22')
    expect(await exposureOf(id)).toMatchObject({
      overdrawnSince: '2026-01-01',
      beyondLimitSince: null,
    })
    await post(bank, id, 'IN', '300.00', '2026-01-15')
    await nightOf(bank, '2026-01-23')
    expect(await exposureOf(id)).toMatchObject({
      overdrawnSince: null,
      limit: { amount: '300.00' },
    })
  })
})

describe('An account under a product without overdraft terms', () => {
  test('is followed once it is overdrawn, from its opening on', async () => {
    const id = await aCurrentAccount(bank, await aProduct(bank))
    await nightOf(bank, '2026-01-03')
    await advise(id, '80.00')
    await nightOf(bank, '2026-01-10')
    expect(await exposureOf(id)).toBeNull()
    await follow()
    await nightOf(bank, '2026-01-11')
    expect(await exposureOf(id)).toMatchObject({
      asOf: '2026-01-10',
      overdrawn: { amount: '80.00' },
      accruedInterest: { amount: '0.00' },
      limit: { amount: '0.00' },
      overdrawnSince: '2026-01-03',
      beyondLimitSince: '2026-01-03',
      daysPastDue: 8,
    })
    expect(await listed('minDaysPastDue: 8')).toContain(id)
    const { accountArrangement } = await bank.act(
      `{ accountArrangement(arrangementId: "${id}") { overdraftInterest { accruedThrough } } }`,
    )
    expect(accountArrangement.overdraftInterest).toBeNull()
    await post(bank, id, 'IN', '80.00')
    await nightOf(bank, '2026-01-12')
    expect(await exposureOf(id)).toBeNull()
    expect(await listed()).not.toContain(id)
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(['past-due', 'cured'])
  })

  test('is no exposure once it is closed, even on the day of its repayment', async () => {
    const id = await aCurrentAccount(bank, await aProduct(bank))
    await advise(id, '5.00')
    await follow()
    await nightOf(bank, '2026-01-05')
    expect(await listed()).toContain(id)
    await post(bank, id, 'IN', '5.00')
    for (const mutation of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
      await bank.act(
        `mutation { ${mutation}(arrangementId: "${id}") { __typename } }`,
        {},
        approver,
      )
    }
    await follow()
    expect(await exposureOf(id)).toBeNull()
    expect(await listed()).not.toContain(id)
    expect((await eventsOf(id)).map(([type]) => type)).toEqual(['past-due', 'cured'])
  })
})

test('what the former release accrued is derived, and a job that dies derives it once', async () => {
  const id = await aCurrentAccount(bank, productId, '100.00')
  await pay(id, '90.00')
  await advise(id, '20.00')
  await nightOf(bank, '2026-01-09')
  const before = await exposureOf(id)
  expect(before).toMatchObject({ overdrawnSince: '2026-01-01', daysPastDue: 8 })
  await bank.rows(
    `update interest.overdraft_position set overdrawn_since = null, limit_minor = null,
       exposure_through = null where arrangement_id = $1`,
    [id],
  )
  expect(await exposureOf(id)).toBeNull()
  const derivedThrough = async () =>
    (await bank.act('{ overdraftExposurePosition { derivedThrough } }')).overdraftExposurePosition
      .derivedThrough
  expect(await derivedThrough()).toBe('2025-12-31')
  bank.clock.set('2026-01-10T00:05:00.000Z')
  await killedAfter(bank, 0, () =>
    workerOf('accrue-overdraft-interest').run(bankContext(bank.bank)),
  )
  await bank.rows('update interest.overdraft_position set leased_until = null')
  await nightOf(bank, '2026-01-10')
  expect(await exposureOf(id)).toEqual({ ...before, asOf: '2026-01-09', daysPastDue: 9 })
  expect(await derivedThrough()).toBe('2026-01-09')
})

test('the list and its progress are for the bank only', async () => {
  for (const query of [
    '{ overdraftExposures { nodes { daysPastDue } } }',
    '{ overdraftExposurePosition { derivedThrough } }',
  ]) {
    await expect(bank.act(query, {}, ada)).rejects.toMatchObject({
      code: 'NOT_FOR_DELEGATED_USERS',
    })
  }
})

// The last test: the entries go past the checks of the ledger.
test('all entries of a busy account count, however many there are', async () => {
  const id = await aCurrentAccount(bank, productId)
  await bank.follow()
  const client = await bank.bank.pool.connect()
  await client.query('begin; set local session_replication_role = replica')
  // More entries than one commit reads: 0.01 in and out, and at last 70.00 out.
  await client.query(
    `insert into ledger.entry (account_id, address, sequence, posting_instruction_id, ordinal, phase,
       side, amount, currency, booked_at, value_date)
     select $1, 'default', n, 'pin_busy_' || n, 1, 'committed',
       case n % 2 when 0 then 'credit' else 'debit' end, case n when 10401 then 7000 else 1 end,
       'EUR', timestamptz '2026-01-02', date '2026-01-03' from generate_series(1, 10401) n`,
    [id],
  )
  await client.query('commit')
  client.release()
  await nightOf(bank, '2026-01-06')
  expect(await exposureOf(id)).toMatchObject({
    asOf: '2026-01-05',
    overdrawn: { amount: '70.00' },
    overdrawnSince: '2026-01-03',
    daysPastDue: 3,
  })
})
