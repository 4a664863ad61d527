/** Write-offs of overdrafts on a bank with the whole graph. */
import 'reflect-metadata'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { interest } from '../../../subgraphs/interest/index.ts'
import { aCaller } from '../../kit/subgraph.ts'
import { anAccount } from '../fees/fee-kit.ts'
import { killedAfter, runToEnd } from '../interest/crash-kit.ts'
import { ada, eur, post, sequenced, type InterestBank } from '../interest/kit.ts'
import { arrange } from '../interest/overdraft-kit.ts'
import {
  aProvisioningBank,
  aTable,
  codeOf,
  debitsOf,
  drain,
  expectReconciled,
  manager,
  morningOf,
  officer,
  provide,
  segments,
  type ProvisioningBank,
} from './kit.ts'

let bank: ProvisioningBank
let own: InterestBank
const productId = 'prd_overdraft'

beforeAll(async () => {
  bank = await aProvisioningBank()
  own = bank as unknown as InterestBank
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  const input = {
    productId,
    name: 'Current account',
    productClass: 'current-account',
    status: 'active',
    version: '2026.1',
    currencies: ['EUR'],
    overdraft: { annualRatePct: '12', unarrangedRatePct: '18', noticeDays: 0 },
  }
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    { input },
  )
})
afterAll(() => bank.drop())
afterEach(() => expectReconciled(bank))

async function derive() {
  await sequenced(bank)
  const names = ['follow-interest', 'follow-overdrafts', 'accrue-overdraft-interest']
  for (const name of names) {
    const worker = interest.workers.find((each) => each.name === `accounts.${name}`)!
    await runToEnd(() => worker.run(bankContext(bank.bank)))
  }
}

const fields = `overdraftWriteOffId state amount { amount } recovered { amount } unrecovered { amount }`

const propose = async (arrangementId: string, caller = officer) =>
  (
    await bank.act(
      `mutation ($input: ProposeOverdraftWriteOffInput!) {
        it: proposeOverdraftWriteOff(input: $input) { ${fields} } }`,
      { input: { arrangementId, reason: 'Insolvent' } },
      caller,
    )
  ).it

const decide = async (name: string, id: string, caller = manager) =>
  (
    await bank.act(
      `mutation ($id: ID!) { it: ${name}(overdraftWriteOffId: $id) { ${fields} } }`,
      { id },
      caller,
    )
  ).it

const recover = async (overdraftWriteOffId: string, amount: string, caller = officer) =>
  (
    await bank.act(
      `mutation ($input: RecoverOverdraftInput!) { it: recoverOverdraft(input: $input) { ${fields} } }`,
      { input: { overdraftWriteOffId, amount: eur(amount) } },
      caller,
    )
  ).it

const preview = (id: string) =>
  bank.act(
    `query ($id: ID!) { it: overdraftWriteOffPreview(arrangementId: $id) {
      debitAccountId creditAccountId amount { amount } } }`,
    { id },
  )

const change = (name: string, id: string, more = '') =>
  bank.act(`mutation { ${name}(arrangementId: "${id}"${more}) { __typename } }`, {}, officer)

const block = (id: string) => change('blockAccountArrangement', id, ', kind: DEBIT')

async function balanceOf(id: string): Promise<number> {
  const [row] = await bank.rows(
    `select (committed_credit - committed_debit)::int as minor from ledger.current_balance
     where account_id = $1`,
    [id],
  )
  return row!['minor']
}

async function anOverdrawn(amount: string): Promise<string> {
  const id = await anAccount(bank, productId, { overdraftLimit: eur('1000.00') })
  await post(own, id, 'OUT', amount)
  return id
}

/** An overdrawn account that is blocked and whose limit is withdrawn. */
async function aWithdrawn(amount: string): Promise<string> {
  const id = await anOverdrawn(amount)
  bank.clock.advance(1000)
  await arrange(own, id, '0.00')
  await block(id)
  return id
}

test('an overdraft is written off with its interest, and its allowance is used', async () => {
  const { stages } = segments[0]!
  const overdraft = { segment: 'OVERDRAFT', creditConversionPct: '50', stages }
  await aTable(bank, { effectiveFrom: '2026-03-31', segments: [...segments, overdraft] })
  const id = await anOverdrawn('600.00')
  await morningOf(bank, '2026-04-01')
  await derive()
  await provide(bank, '2026-04-01')
  const provided = await debitsOf(bank, 'impairment-expense')
  expect(provided).toBeGreaterThan(0)
  bank.clock.set('2026-04-10T10:00:00Z')
  expect(await codeOf(propose(id))).toBe('OVERDRAFT_STILL_IN_USE')
  await block(id)
  expect(await codeOf(propose(id))).toBe('OVERDRAFT_STILL_IN_USE')
  await arrange(own, id, '0.00')
  expect(await codeOf(propose(id))).toBe('INTEREST_OUTSTANDING')
  await change('chargeOverdraftInterest', id)
  const owed = -(await balanceOf(id))
  expect(owed).toBeGreaterThan(60_000)
  const amount = { amount: (owed / 100).toFixed(2) }
  expect((await preview(id)).it).toEqual({
    debitAccountId: 'loan-losses/EUR',
    creditAccountId: id,
    amount,
  })
  expect(await codeOf(propose(id, ada))).toBe('NOT_FOR_DELEGATED_USERS')
  const { overdraftWriteOffId, ...proposed } = await propose(id)
  expect(proposed).toMatchObject({ state: 'PROPOSED', amount, unrecovered: { amount: '0.00' } })
  expect(await codeOf(propose(id))).toBe('RESOURCE_EXISTS')
  const approve = 'approveOverdraftWriteOff'
  expect(await codeOf(decide(approve, overdraftWriteOffId, officer))).toBe('SEGREGATION_OF_DUTIES')
  expect(await codeOf(decide(approve, overdraftWriteOffId, aCaller()))).toBe('PERSON_REQUIRED')
  expect(await decide(approve, overdraftWriteOffId)).toMatchObject({
    state: 'APPROVED',
    amount,
    unrecovered: amount,
  })
  expect([await balanceOf(id), await debitsOf(bank, 'loan-losses')]).toEqual([0, owed])
  expect(await codeOf(change('unblockAccountArrangement', id))).toBe('OVERDRAFT_WRITTEN_OFF')
  expect(await codeOf(arrange(own, id, '500.00'))).toBe('OVERDRAFT_WRITTEN_OFF')
  await morningOf(bank, '2026-04-12')
  await derive()
  await drain(bank, 'provisioning.end-allowances')
  // The allowance of the account takes that part of the loss; nothing of it is released.
  expect(await debitsOf(bank, 'impairment-expense')).toBe(provided)
  expect(await debitsOf(bank, 'loan-losses')).toBe(owed - provided)
  expect(await debitsOf(bank, 'loan-loss-allowance')).toBe(0)
  await morningOf(bank, '2026-07-01')
  await derive()
  expect(await balanceOf(id)).toBe(0)
  await post(own, id, 'IN', '100.00')
  expect(await codeOf(recover(overdraftWriteOffId, '100.01'))).toBe('INSUFFICIENT_FUNDS')
  expect(await codeOf(recover(overdraftWriteOffId, '9999.00'))).toBe('INVALID_AMOUNT')
  expect(await codeOf(recover(overdraftWriteOffId, '0.00'))).toBe('INVALID_AMOUNT')
  expect(await codeOf(recover('owo_none', '1.00'))).toBe('OVERDRAFT_WRITE_OFF_NOT_FOUND')
  expect(await recover(overdraftWriteOffId, '60.00')).toMatchObject({
    recovered: { amount: '60.00' },
    unrecovered: { amount: ((owed - 6000) / 100).toFixed(2) },
  })
  expect(await balanceOf(id)).toBe(4000)
  const events = (await bank.events()).filter(({ subject }) =>
    subject.startsWith('overdraft-write-off/'),
  )
  expect(events.map(({ type, parties }) => [type.split('.').at(-1), parties])).toEqual([
    ['proposed', []],
    ['approved', []],
    ['recovery-received', []],
  ])
})

test('a rejected write-off books nothing, and a recovery needs an approved one', async () => {
  const id = await aWithdrawn('50.00')
  const { overdraftWriteOffId } = await propose(id)
  expect(await codeOf(recover(overdraftWriteOffId, '1.00'))).toBe('INVALID_STATE_TRANSITION')
  expect((await decide('rejectOverdraftWriteOff', overdraftWriteOffId)).state).toBe('REJECTED')
  expect(await balanceOf(id)).toBe(-5000)
  await change('unblockAccountArrangement', id)
})

test('of two proposals at the same time, one is recorded, and no more is booked than it says', async () => {
  const id = await aWithdrawn('90.00')
  const outcomes = await Promise.all([codeOf(propose(id)), codeOf(propose(id))])
  expect(outcomes.toSorted()).toEqual(['RESOURCE_EXISTS', 'done'])
  const [row] = await bank.rows(
    `update accounts.overdraft_write_off set amount_minor = amount_minor - 1
     where arrangement_id = $1 and state = 'proposed' returning overdraft_write_off_id as id`,
    [id],
  )
  const { id: writeOffId } = row as { id: string }
  expect(await codeOf(decide('approveOverdraftWriteOff', writeOffId))).toBe(
    'OVERDRAFT_STILL_IN_USE',
  )
  await decide('rejectOverdraftWriteOff', writeOffId)
  expect(await balanceOf(id)).toBe(-9000)
  await change('unblockAccountArrangement', id)
})

test('of an approval and an unblocking at the same time, one wins', async () => {
  const id = await aWithdrawn('70.00')
  const { overdraftWriteOffId } = await propose(id)
  const outcomes = await Promise.allSettled([
    decide('approveOverdraftWriteOff', overdraftWriteOffId),
    change('unblockAccountArrangement', id),
  ])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test('an approval that dies before its commit books nothing, and two book once', async () => {
  const id = await aWithdrawn('80.00')
  const before = await debitsOf(bank, 'loan-losses')
  const { overdraftWriteOffId } = await propose(id)
  const approve = () => decide('approveOverdraftWriteOff', overdraftWriteOffId)
  await killedAfter(own, 0, async () => expect(await codeOf(approve())).not.toBe('done'))
  expect(await balanceOf(id)).toBe(-8000)
  const outcomes = await Promise.allSettled([approve(), approve()])
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  expect([await balanceOf(id), await debitsOf(bank, 'loan-losses')]).toEqual([0, before + 8000])
})

test('random lives agree with a model to the cent', async () => {
  const cents = fc.integer({ min: 1, max: 40_000 })
  const step = fc.record({ kind: fc.constantFrom('pay', 'recover'), minor: cents })
  const money = (minor: number) => (minor / 100).toFixed(2)
  await fc.assert(
    fc.asyncProperty(cents, fc.array(step, { maxLength: 12 }), async (owed, steps) => {
      const id = await aWithdrawn(money(owed))
      const before = await debitsOf(bank, 'loan-losses')
      const { overdraftWriteOffId } = await propose(id)
      await decide('approveOverdraftWriteOff', overdraftWriteOffId)
      let [paid, recovered] = [0, 0]
      for (const { kind, minor } of steps) {
        if (kind === 'pay') {
          await post(own, id, 'IN', money(minor))
          paid += minor
          continue
        }
        const isPossible = minor <= owed - recovered && minor <= paid - recovered
        const code = await codeOf(recover(overdraftWriteOffId, money(minor)))
        expect(code === 'done').toBe(isPossible)
        if (isPossible) recovered += minor
      }
      expect(await balanceOf(id)).toBe(paid - recovered)
      expect((await debitsOf(bank, 'loan-losses')) - before).toBe(owed - recovered)
      const { it } = await bank.act(
        `{ it: overdraftWriteOff(overdraftWriteOffId: "${overdraftWriteOffId}") { ${fields} } }`,
      )
      expect(it.unrecovered.amount).toBe(money(owed - recovered))
      if (owed > recovered) {
        expect(await codeOf(change('unblockAccountArrangement', id))).toBe('OVERDRAFT_WRITTEN_OFF')
      } else await change('unblockAccountArrangement', id)
    }),
    { numRuns: 15 },
  )
})
