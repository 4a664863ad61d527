/** What is refused when customers open deposits, and who may open them, with random ways to move money. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller, employee } from '../../kit/subgraph.ts'
import { random } from '../../kit/random.ts'
import { endLeasesOf, killedAfter } from './crash-kit.ts'
import {
  aFundingAccount,
  aJointRule,
  allow,
  anAllowedTermProduct,
  codeOf,
  openDeposit,
  preview,
} from './deposit-opening-kit.ts'
import {
  ada,
  anInterestBank,
  aProduct,
  balanceOf,
  eur,
  newId,
  reconcile,
  start,
  type InterestBank,
} from './kit.ts'
import { aTermProduct, depositsOf } from './term-deposit-kit.ts'

let bank: InterestBank
let productId: string
let fundingArrangementId: string
beforeAll(async () => {
  bank = await anInterestBank()
  bank.clock.set(start)
  productId = await anAllowedTermProduct(bank)
  fundingArrangementId = await aFundingAccount(bank)
})
afterAll(() => bank.drop())

const mallory = aCaller({ partyId: 'pty_mallory' })
const opening = (more: object = {}, caller = ada) =>
  codeOf(openDeposit(bank, { productId, fundingArrangementId }, more, caller))
const openings = async () =>
  (await bank.rows('select count(*)::int as n from accounts.deposit_opening'))[0]!['n'] as number

describe('Who may open deposits', () => {
  test('customers open the products that the bank allows; employees open all of them', async () => {
    const closed = await aTermProduct(bank)
    const accounts = { productId: closed, fundingArrangementId }
    expect(await codeOf(openDeposit(bank, accounts))).toBe('SELF_SERVICE_NOT_ALLOWED')
    const request = { productId: closed, amount: eur('1000.00'), months: 1 }
    expect(await codeOf(preview(bank, request))).toBe('SELF_SERVICE_NOT_ALLOWED')
    expect(await codeOf(preview(bank, request, employee))).toBeNull()
    expect(await codeOf(openDeposit(bank, accounts, {}, employee))).toBeNull()
    await allow(bank, closed)
    expect(await codeOf(openDeposit(bank, accounts))).toBeNull()
    await allow(bank, closed, false)
    expect(await codeOf(openDeposit(bank, accounts))).toBe('SELF_SERVICE_NOT_ALLOWED')
    const plain = `mutation { openAccountArrangement(input: { customerId: "cus_ada",
      productId: "${closed}" }) { arrangementId } }`
    expect(await codeOf(bank.act(plain, {}, ada))).toBe('SELF_SERVICE_NOT_ALLOWED')
    expect(await codeOf(bank.act(plain))).toBeNull()
  })

  test('nobody opens a deposit for another customer or without the scope', async () => {
    const before = await openings()
    expect(await opening({}, mallory)).toBe('CUSTOMER_NOT_FOUND')
    expect(await opening({}, aCaller({ partyId: 'pty_ada', scopes: ['accounts:read'] }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    expect(await opening({}, aCaller({ subject: 'tom', scopes: ['accounts:read'] }))).toBe(
      'INSUFFICIENT_SCOPE',
    )
    expect(await openings()).toBe(before)
  })

  test('a setting needs a second person and a deposit product', async () => {
    const propose = (id: string) => `mutation { set: proposeSelfServiceSetting(input: {
      productId: "${id}", isAllowed: true, reason: "App" }) { selfServiceSettingId state } }`
    const { set } = await bank.act(propose(productId))
    const approve = `mutation { approveSelfServiceSetting(selfServiceSettingId: "${set.selfServiceSettingId}") { state } }`
    expect(await codeOf(bank.act(approve))).toBe('SEGREGATION_OF_DUTIES')
    const unknown = approve.replace(set.selfServiceSettingId, 'sss_none')
    expect(await codeOf(bank.act(unknown))).toBe('SELF_SERVICE_SETTING_NOT_FOUND')
    expect(
      (await bank.act('{ selfServiceSetting(selfServiceSettingId: "sss_none") { state } }'))
        .selfServiceSetting,
    ).toBeNull()
    expect(await codeOf(bank.act(propose('prd_none')))).toBe('PRODUCT_NOT_FOUND')
    expect(await codeOf(bank.act(propose(productId), {}, ada))).toBe('NOT_FOR_DELEGATED_USERS')
    await bank.act(`mutation { createProduct(input: { productId: "prd_loan", name: "Loan",
      productClass: "consumer-loan", status: "active", version: "2026.1" }) { productId } }`)
    expect(await codeOf(bank.act(propose('prd_loan')))).toBe('VALIDATION_FAILED')
  })
})

describe('What is refused', () => {
  test('accounts, amounts and terms that do not fit, without a trace', async () => {
    const savings = await aProduct(bank)
    await allow(bank, savings)
    const before = await openings()
    const refusals: [object, string][] = [
      [{ fundingArrangementId: 'arr_nobody' }, 'FUNDING_ACCOUNT_NOT_ALLOWED'],
      [{ fundingArrangementId: null }, 'VALIDATION_FAILED'],
      [{ amount: null }, 'VALIDATION_FAILED'],
      [{ amount: eur('0.00') }, 'INVALID_AMOUNT'],
      [{ amount: { amount: '1000.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
      [{ amount: eur('50000.00') }, 'INSUFFICIENT_FUNDS'],
      [{ months: 7 }, 'TERM_DEPOSIT_NOT_OFFERED'],
      [{ months: null }, 'VALIDATION_FAILED'],
      [{ acceptedVersion: '2020.1' }, 'PRODUCT_NOT_FOUND'],
      [{ customerId: 'cus_nobody' }, 'CUSTOMER_NOT_FOUND'],
      [{ productId: savings }, 'VALIDATION_FAILED'],
    ]
    for (const [more, code] of refusals)
      expect(await opening(more), JSON.stringify(more)).toBe(code)
    expect(await openings()).toBe(before)
    await reconcile(bank)
  })

  test('a blocked funding account, and one of a customer that is suspended', async () => {
    const funding = await aFundingAccount(bank)
    const block = (act: string) =>
      bank.act(
        `mutation { ${act}AccountArrangement(arrangementId: "${funding}"${act === 'block' ? ', kind: DEBIT' : ''}) { state } }`,
      )
    await block('block')
    expect(await opening({ fundingArrangementId: funding })).toBe('ARRANGEMENT_BLOCKED')
    await block('unblock')
    await bank.act(
      'mutation { suspendCustomer(customerId: "cus_ada", reason: "Review") { customerId } }',
    )
    expect(await opening({ fundingArrangementId: funding })).toBe('CUSTOMER_NOT_ACTIVE')
    await bank.act('mutation { reactivateCustomer(customerId: "cus_ada") { customerId } }')
    expect(await opening({ fundingArrangementId: funding })).toBeNull()
  })
})

describe('A joint account', () => {
  test('funds no deposit without the signatures of the others, from the amount of its rule on', async () => {
    const joint = await aFundingAccount(bank)
    const holder = aCaller({ partyId: await aJointRule(bank, joint, '500.00') })
    const more = { fundingArrangementId: joint }
    expect(await opening(more)).toBe('SIGNATURES_REQUIRED')
    expect(await opening({ ...more, amount: eur('500.00') })).toBe('SIGNATURES_REQUIRED')
    expect(await opening(more, holder)).toBe('CUSTOMER_NOT_FOUND')
    expect(await balanceOf(bank, joint)).toBe('10000.00')
    expect(await opening({ ...more, amount: eur('499.99') })).toBeNull()
    expect(await opening(more, employee)).toBeNull()
  })

  test('receives what it funded: one holder cannot have it paid out elsewhere', async () => {
    const joint = await aFundingAccount(bank)
    const accounts = { productId, fundingArrangementId: joint }
    const { termDepositId } = await openDeposit(bank, accounts)
    await bank.follow()
    await aJointRule(bank, joint)
    const change = (more: string, caller = ada) =>
      codeOf(
        bank.act(
          `mutation { changeMaturityInstruction(input: { termDepositId: "${termDepositId}", ${more} }) {
            state } }`,
          {},
          caller,
        ),
      )
    const elsewhere = `settlementArrangementId: "${fundingArrangementId}"`
    expect(await change(elsewhere)).toBe('SIGNATURES_REQUIRED')
    expect(await change('maturityInstruction: RENEW_PRINCIPAL')).toBeNull()
    expect(await change('maturityInstruction: PAY_OUT', mallory)).toBe('TERM_DEPOSIT_NOT_FOUND')
    expect(await change(elsewhere, employee)).toBeNull()
  })
})

test('an opening that is cut off at any commit is complete or absent, and can be repeated', async () => {
  const funding = await aFundingAccount(bank)
  const { level } = bank.bank.log
  // Every simulated crash would be logged as an error.
  bank.bank.log.level = 'silent'
  for (const commits of [0, 1, 2]) {
    const own = { depositOpeningId: newId('dop'), arrangementId: newId('arr') }
    const accounts = { productId, fundingArrangementId: funding }
    const before = Number(await balanceOf(bank, funding))
    // The graph masks the error of the commit.
    await killedAfter(bank, commits, () => codeOf(openDeposit(bank, accounts, own)))
    const after = Number(await balanceOf(bank, funding))
    const [row] = await bank.rows('select 1 from accounts.arrangement where arrangement_id = $1', [
      own.arrangementId,
    ])
    expect(row !== undefined).toBe(commits > 0)
    expect(before - after).toBe(row ? 1000 : 0)
    await openDeposit(bank, accounts, own)
    expect(before - Number(await balanceOf(bank, funding))).toBe(1000)
    await killedAfter(bank, commits, () => bank.follow())
    await bank.follow()
    expect(await depositsOf(bank, own.arrangementId)).toHaveLength(1)
  }
  bank.bank.log.level = level
})

test('random openings and payments of the same accounts lose no cent', async () => {
  const next = random(20260510)
  const savings = await aProduct(bank, { tiers: [{ annualRatePct: '0' }] })
  await allow(bank, savings)
  const accounts = await Promise.all([1, 2, 3].map(() => aFundingAccount(bank, '3000.00')))
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]!
  const everyone = [...accounts]
  for (let round = 0; round < 12; round++) {
    const running = [1, 2, 3].map(() => {
      const from = pick(accounts)
      const amount = eur((100 + Math.floor(next() * 90_000) / 100).toFixed(2))
      if (next() < 0.3) {
        const to = pick(accounts.filter((id) => id !== from))
        const input = { debtorArrangementId: from, creditorArrangementId: to, amount }
        const document = `mutation ($input: CreateTransferInput!) { createTransfer(input: $input) { state } }`
        return codeOf(bank.act(document, { input }, ada))
      }
      const isTerm = next() < 0.5
      const opened = openDeposit(
        bank,
        { productId: isTerm ? productId : savings, fundingArrangementId: from },
        { amount, months: isTerm ? pick([1, 12]) : null },
      )
      return codeOf(opened.then(({ arrangementId }) => everyone.push(arrangementId)))
    })
    const codes = new Set(await Promise.all(running))
    for (const code of codes) expect([null, 'INSUFFICIENT_FUNDS']).toContain(code)
    if (round % 4 === 3) await bank.follow()
  }
  expect(everyone.length).toBeGreaterThan(accounts.length)
  const balances = await Promise.all(everyone.map((id) => balanceOf(bank, id)))
  const cents = balances.reduce((sum, each) => sum + BigInt(each.replace('.', '')), 0n)
  expect(cents).toBe(9000_00n)
  await bank.follow()
  await endLeasesOf(bank)
  await bank.night('2026-02-01')
  await reconcile(bank)
  const [wrong] = await bank.rows(`select count(*)::int as n from accounts.deposit_opening o
    left join interest.term_deposit d using (term_deposit_id)
    where o.term_deposit_id is not null and (d.principal_minor is distinct from o.amount_minor
      or d.annual_rate_pct is distinct from o.annual_rate_pct)`)
  expect(wrong!['n']).toBe(0)
})
