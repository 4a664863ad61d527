/** Openings of deposits around midnight, by apps with few scopes, and in accounts of several holders. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller, employee } from '../../kit/subgraph.ts'
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
  start,
  type InterestBank,
} from './kit.ts'
import { aTermProduct } from './term-deposit-kit.ts'

let bank: InterestBank
let productId: string
let fundingArrangementId: string
beforeAll(async () => {
  bank = await anInterestBank()
  bank.clock.set(start)
  productId = await anAllowedTermProduct(bank)
  fundingArrangementId = await aFundingAccount(bank, '30000.00')
})
afterAll(() => bank.drop())

test('who may only open accounts opens empty ones, and moves no money', async () => {
  const savings = await aProduct(bank)
  await allow(bank, savings)
  const scopes = ['accounts:read', 'accounts:write'] as const
  const before = await balanceOf(bank, fundingArrangementId)
  for (const caller of [
    aCaller({ partyId: 'pty_ada', scopes }),
    aCaller({ subject: 'carla', scopes }),
  ]) {
    const term = openDeposit(bank, { productId, fundingArrangementId }, {}, caller)
    expect(await codeOf(term)).toBe('INSUFFICIENT_SCOPE')
    const funded = { productId: savings, fundingArrangementId }
    const saved = openDeposit(bank, funded, { months: null }, caller)
    expect(await codeOf(saved)).toBe('INSUFFICIENT_SCOPE')
    expect(await codeOf(openDeposit(bank, { productId: savings }, {}, caller))).toBeNull()
  }
  expect(await balanceOf(bank, fundingArrangementId)).toBe(before)
})

test('the account, the posting and the term begin on one day, whenever midnight comes', async () => {
  const { now } = bank.bank
  for (let calls = 0; calls < 12; calls++) {
    let seen = 0
    const evening = new Date('2026-01-01T23:59:59.999Z')
    const morning = new Date('2026-01-02T00:00:00.000Z')
    Object.assign(bank.bank, { now: () => (seen++ < calls ? evening : morning) })
    try {
      await openDeposit(bank, { productId, fundingArrangementId })
    } finally {
      Object.assign(bank.bank, { now })
    }
  }
  const days = await bank.rows(`select distinct (o.created_at at time zone 'UTC')::date
      - (a.opened_at at time zone 'UTC')::date as apart,
      (o.created_at at time zone 'UTC')::date - p.value_date as posted
    from accounts.deposit_opening o join accounts.arrangement a using (arrangement_id)
      join ledger.posting_instruction p using (posting_instruction_id)
    where o.months is not null`)
  expect(days).toEqual([{ apart: 0, posted: 0 }])
})

test('a preview is in a currency of the product', async () => {
  const amount = { amount: '100000', currency: 'JPY' }
  const request = preview(bank, { productId, amount, months: 1 })
  expect(await codeOf(request)).toBe('CURRENCY_MISMATCH')
})

test('the offers are those that can be opened, also after two approvals at the same time', async () => {
  const twice = await aTermProduct(bank)
  const olga = aCaller({ subject: 'olga' })
  const ids = [newId('sss_z'), newId('sss_a')]
  for (const [index, id] of ids.entries()) {
    const input = {
      selfServiceSettingId: id,
      productId: twice,
      isAllowed: index === 0,
      reason: 'App',
    }
    await bank.act(
      `mutation ($input: ProposeSelfServiceSettingInput!) {
        proposeSelfServiceSetting(input: $input) { state } }`,
      { input },
    )
    await bank.act(
      `mutation ($id: ID!) { approveSelfServiceSetting(selfServiceSettingId: $id) { state } }`,
      { id },
      olga,
    )
  }
  const accounts = { productId: twice, fundingArrangementId }
  expect(await codeOf(openDeposit(bank, accounts))).toBe('SELF_SERVICE_NOT_ALLOWED')
  const { depositOffers } = await bank.act('{ depositOffers { productId } }', {}, ada)
  expect(depositOffers.map((each: any) => each.productId)).not.toContain(twice)
})

const change = (termDepositId: string, more: string, caller = ada) =>
  codeOf(
    bank.act(
      `mutation { changeMaturityInstruction(input: { termDepositId: "${termDepositId}", ${more} }) {
        state } }`,
      {},
      caller,
    ),
  )

test('one holder cannot redirect a deposit in an account of several holders', async () => {
  const other = await aFundingAccount(bank, '0.00')
  const accounts = { productId, fundingArrangementId }
  const opened = await openDeposit(bank, accounts, { amount: eur('900.00') })
  const { arrangementId, termDepositId } = opened
  await bank.follow()
  await aJointRule(bank, arrangementId, '500.00')
  const elsewhere = `settlementArrangementId: "${other}"`
  expect(await change(termDepositId, elsewhere)).toBe('SIGNATURES_REQUIRED')
})

test('a customer cannot have a deposit paid out elsewhere whose account is blocked', async () => {
  const other = await aFundingAccount(bank, '0.00')
  const elsewhere = `settlementArrangementId: "${other}"`
  const funding = await aFundingAccount(bank)
  const accounts = { productId, fundingArrangementId: funding }
  const { arrangementId, termDepositId } = await openDeposit(bank, accounts)
  await bank.follow()
  for (const blocked of [funding, arrangementId]) {
    await bank.act(
      `mutation { blockAccountArrangement(arrangementId: "${blocked}", kind: DEBIT) { state } }`,
    )
    expect(await change(termDepositId, elsewhere)).toBe('ARRANGEMENT_BLOCKED')
    expect(await change(termDepositId, 'maturityInstruction: RENEW_PRINCIPAL')).toBeNull()
    await bank.act(`mutation { unblockAccountArrangement(arrangementId: "${blocked}") { state } }`)
  }
  expect(await change(termDepositId, elsewhere)).toBeNull()
})

test('a customer changes nothing from the last day on, even if the nightly job is late', async () => {
  const accounts = { productId, fundingArrangementId }
  const { termDepositId } = await openDeposit(bank, accounts)
  await bank.follow()
  bank.clock.set('2026-02-01T00:00:00.000Z')
  const renew = 'maturityInstruction: RENEW_PRINCIPAL'
  expect(await change(termDepositId, renew)).toBe('INVALID_STATE_TRANSITION')
  expect(await change(termDepositId, renew, employee)).toBeNull()
  bank.clock.set(start)
})

test('the first signing rule of an account that is approved before the commit applies to it', async () => {
  const funding = await aFundingAccount(bank)
  const { commits } = bank.bank
  const { commit } = commits
  commits.commit = async (prepared) => {
    commits.commit = commit
    await aJointRule(bank, funding)
    return commit.call(commits, prepared)
  }
  const accounts = { productId, fundingArrangementId: funding }
  expect(await codeOf(openDeposit(bank, accounts))).toBe('SIGNATURES_REQUIRED')
  expect(await balanceOf(bank, funding)).toBe('10000.00')
})
