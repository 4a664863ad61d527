/** A customer opens savings accounts and term deposits: offers, previews, openings and what follows. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employee } from '../../kit/subgraph.ts'
import {
  allow,
  aFundingAccount,
  anAllowedTermProduct,
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
import { aTermVersion, depositsOf, fixedTerms, lookAt } from './term-deposit-kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
})
afterAll(() => bank.drop())

const change = (input: object, caller = ada) =>
  bank.act(
    `mutation ($input: ChangeMaturityInstructionInput!) { changeMaturityInstruction(input: $input) {
      maturityInstruction settlementArrangementId } }`,
    { input },
    caller,
  )

test('the offers are the products on sale that the bank allows, with the rates of today', async () => {
  const term = await anAllowedTermProduct(bank)
  const savings = await aProduct(bank)
  await allow(bank, savings)
  const withheld = await aProduct(bank)
  await allow(bank, withheld)
  await allow(bank, withheld, false)
  await aProduct(bank)
  const offers = async (caller = ada) => {
    const document = `{ depositOffers { productId productVersion productClass currencies interest {
      tiers { annualRatePct } fixedTerms { offers { months annualRatePct } minimumAmount { amount } } } } }`
    return (await bank.act(document, {}, caller)).depositOffers
  }
  const found = await offers()
  const ids = found.map((each: any) => each.productId)
  expect(ids).toEqual([term, savings].sort())
  expect(found.find((each: any) => each.productId === term)).toMatchObject({
    productVersion: '2026.1',
    productClass: 'term-deposit',
    currencies: ['EUR'],
    interest: {
      tiers: [{ annualRatePct: '0.365' }],
      fixedTerms: { offers: fixedTerms.offers, minimumAmount: { amount: '100.00' } },
    },
  })
  await bank.act(
    `mutation { suspendProduct(productId: "${savings}", version: "2026.1") { status } }`,
  )
  expect((await offers(employee)).map((each: any) => each.productId)).toEqual([term])
})

describe('A term deposit', () => {
  test('is opened with its money in one commit, matures, and earns what the preview said', async () => {
    bank.clock.set(start)
    const { blockOf } = lookAt(bank)
    const productId = await anAllowedTermProduct(bank, {}, { withholdingTaxPct: '25' })
    const fundingArrangementId = await aFundingAccount(bank)
    const expected = await preview(bank, { productId, amount: eur('1000.00'), months: 12 })
    expect(expected).toMatchObject({
      productVersion: '2026.1',
      startsOn: '2026-01-01',
      endsOn: '2027-01-01',
      annualRatePct: '7.3',
      gross: { amount: '73.00' },
      taxWithheld: { amount: '18.25' },
      net: { amount: '54.75' },
      earlyWithdrawal: null,
    })
    const accounts = { productId, fundingArrangementId }
    const opened = await openDeposit(bank, accounts, { months: 12, nickname: 'House' })
    const { arrangementId, termDepositId } = opened
    expect(opened).toMatchObject({
      productVersion: '2026.1',
      months: 12,
      annualRatePct: '7.3',
      maturesOn: '2027-01-01',
      maturityInstruction: 'PAY_OUT',
      amount: { amount: '1000.00' },
      openedBy: null,
      account: {
        state: 'ACTIVE',
        nickname: 'House',
        depositOpening: { depositOpeningId: opened.depositOpeningId },
      },
    })
    expect(await balanceOf(bank, arrangementId)).toBe('1000.00')
    expect(await balanceOf(bank, fundingArrangementId)).toBe('9000.00')
    // Before any worker ran, the account is blocked and the funding account cannot be closed.
    expect(await blockOf(arrangementId)).toBe('all')
    const close = `mutation { requestAccountArrangementClosure(arrangementId: "${fundingArrangementId}") { state } }`
    await expect(bank.act(close)).rejects.toMatchObject({ code: 'SETTLEMENT_ACCOUNT_IN_USE' })
    await bank.act(
      `mutation { blockAccountArrangement(arrangementId: "${arrangementId}", kind: DEBIT) { state } }`,
    )
    await bank.act(
      `mutation { unblockAccountArrangement(arrangementId: "${arrangementId}") { state } }`,
    )
    expect(await blockOf(arrangementId)).toBe('all')
    await bank.follow()
    expect(await depositsOf(bank, arrangementId)).toMatchObject([
      { termDepositId, state: 'ACTIVE', principal: { amount: '1000.00' }, maturesOn: '2027-01-01' },
    ])
    for (const day of ['2026-03-01', '2026-06-01', '2026-09-01', '2026-12-01', '2027-01-01']) {
      await bank.night(day)
    }
    expect(await depositsOf(bank, arrangementId)).toMatchObject([
      {
        termDepositId,
        state: 'MATURED',
        interest: { amount: '73.00' },
        paidOut: { amount: '1054.75' },
      },
    ])
    expect(await balanceOf(bank, fundingArrangementId)).toBe('10054.75')
    expect(await blockOf(arrangementId)).toBeNull()
    await reconcile(bank)
  })

  test('shows what an early end costs, as it is then booked', async () => {
    bank.clock.set('2027-02-01T09:00:00.000Z')
    const productId = await anAllowedTermProduct(bank)
    const fundingArrangementId = await aFundingAccount(bank)
    const request = { productId, amount: eur('1000.00'), months: 12, withdrawnOn: '2027-05-01' }
    const { earlyWithdrawal } = await preview(bank, request)
    // 89 days at 0.20 each, and ten days of penalty.
    expect(earlyWithdrawal).toEqual({
      withdrawnOn: '2027-05-01',
      interest: { amount: '17.80' },
      penalty: { amount: '2.00' },
      paidOut: { amount: '1015.80' },
    })
    const { termDepositId } = await openDeposit(
      bank,
      { productId, fundingArrangementId },
      { months: 12 },
    )
    await bank.night('2027-04-01')
    await bank.night('2027-05-01')
    const { withdrawTermDeposit } = await bank.act(
      `mutation { withdrawTermDeposit(input: { termDepositId: "${termDepositId}" }) {
        interest { amount } penalty { amount } paidOut { amount } } }`,
    )
    const { withdrawnOn: _, ...booked } = earlyWithdrawal
    expect(withdrawTermDeposit).toEqual(booked)
  })

  test.each([
    ['2028-02-29', 12, '2029-02-28'],
    ['2029-08-31', 1, '2029-09-30'],
    ['2030-01-31', 1, '2030-02-28'],
  ])('that begins on %s for %i months ends on %s', async (day, months, maturesOn) => {
    bank.clock.set(`${day}T22:59:00.000Z`)
    const productId = await anAllowedTermProduct(bank)
    const fundingArrangementId = await aFundingAccount(bank)
    const seen = await preview(bank, { productId, amount: eur('1000.00'), months })
    const opened = await openDeposit(bank, { productId, fundingArrangementId }, { months })
    await bank.follow()
    const [deposit] = await depositsOf(bank, opened.arrangementId)
    expect([seen.endsOn, opened.maturesOn, deposit.maturesOn]).toEqual(Array(3).fill(maturesOn))
  })

  test('keeps the bounds of the amount, and its customer changes the instruction', async () => {
    bank.clock.set('2031-01-01T09:00:00.000Z')
    const productId = await anAllowedTermProduct(bank, { maximumAmount: eur('500.00') })
    const fundingArrangementId = await aFundingAccount(bank)
    const accounts = { productId, fundingArrangementId }
    for (const amount of ['99.99', '500.01']) {
      await expect(openDeposit(bank, accounts, { amount: eur(amount) })).rejects.toMatchObject({
        code: 'TERM_DEPOSIT_NOT_OFFERED',
        members: { errors: [{ pointer: '/input/amount/amount' }] },
      })
    }
    await openDeposit(bank, accounts, { amount: eur('100.00') })
    const { termDepositId } = await openDeposit(bank, accounts, { amount: eur('500.00') })
    await bank.follow()
    const changed = { termDepositId, maturityInstruction: 'RENEW_PRINCIPAL' }
    expect((await change(changed)).changeMaturityInstruction.maturityInstruction).toBe(
      'RENEW_PRINCIPAL',
    )
    expect(await balanceOf(bank, fundingArrangementId)).toBe('9400.00')
  })
})

describe('A savings account', () => {
  test('is opened empty or with money, and the acceptance is recorded', async () => {
    bank.clock.set('2031-02-01T09:00:00.000Z')
    const productId = await aProduct(bank)
    await allow(bank, productId)
    const fundingArrangementId = await aFundingAccount(bank)
    const empty = await openDeposit(bank, { productId })
    expect(empty).toMatchObject({
      amount: { amount: '0.00' },
      fundingArrangementId: null,
      postingInstructionId: null,
      termDepositId: null,
      maturesOn: null,
    })
    const funded = await openDeposit(bank, { productId, fundingArrangementId }, { months: null })
    expect(await balanceOf(bank, funded.arrangementId)).toBe('1000.00')
    const [event] = (await bank.events()).filter(({ type, subject }) => {
      return type === 'accounts.deposit.opened' && subject.endsWith(funded.depositOpeningId)
    })
    expect(event).toMatchObject({
      parties: ['pty_ada'],
      data: { productId, productVersion: '2026.1', amount: '1000.00', months: null },
    })
    const document = `{ depositOpening(depositOpeningId: "${funded.depositOpeningId}") { openedBy } }`
    expect((await bank.act(document)).depositOpening).toEqual({ openedBy: 'pty_ada' })
    await bank.follow()
    expect(await depositsOf(bank, funded.arrangementId)).toEqual([])
    const seen = await preview(bank, { productId, amount: eur('1000.00') })
    expect(seen).toMatchObject({ endsOn: '2032-02-01', annualRatePct: null })
    await reconcile(bank)
  })
})

test('a repeated request returns the same opening and moves the money once', async () => {
  bank.clock.set('2031-03-01T09:00:00.000Z')
  const productId = await anAllowedTermProduct(bank)
  const fundingArrangementId = await aFundingAccount(bank)
  const accounts = { productId, fundingArrangementId }
  const first = await openDeposit(bank, accounts, {}, ada, 'key-1')
  expect(await openDeposit(bank, accounts, {}, ada, 'key-1')).toEqual(first)
  const own = { depositOpeningId: newId('dop'), arrangementId: newId('arr') }
  const second = await openDeposit(bank, accounts, own)
  expect(await openDeposit(bank, accounts, own)).toEqual(second)
  await expect(openDeposit(bank, accounts, { ...own, months: 12 })).rejects.toMatchObject({
    code: 'RESOURCE_EXISTS',
  })
  const { arrangementId } = own
  await expect(openDeposit(bank, accounts, { arrangementId })).rejects.toMatchObject({
    code: 'ARRANGEMENT_ALREADY_EXISTS',
  })
  expect(await balanceOf(bank, fundingArrangementId)).toBe('8000.00')
})

test('a version that replaced the accepted one, or was suspended, is a clear error', async () => {
  bank.clock.set('2031-04-01T09:00:00.000Z')
  const productId = await anAllowedTermProduct(bank)
  const accounts = { productId, fundingArrangementId: await aFundingAccount(bank) }
  const { productVersion } = await preview(bank, { productId, amount: eur('1000.00'), months: 1 })
  await aTermVersion(bank, productId, '2026.2', {
    ...fixedTerms,
    offers: [{ months: 1, annualRatePct: '1' }],
  })
  const stale = openDeposit(bank, accounts, { acceptedVersion: productVersion })
  await expect(stale).rejects.toMatchObject({
    code: 'PRODUCT_NOT_ACTIVE',
    members: {
      detail: `Version 2026.1 of ${productId} is superseded.`,
      errors: [{ pointer: '/input/acceptedVersion' }],
    },
  })
  await bank.act(
    `mutation { suspendProduct(productId: "${productId}", version: "2026.2") { status } }`,
  )
  const suspended = openDeposit(bank, accounts, { acceptedVersion: '2026.2' })
  await expect(suspended).rejects.toMatchObject({ code: 'PRODUCT_NOT_ACTIVE' })
  await expect(
    preview(bank, { productId, amount: eur('1000.00'), months: 1 }),
  ).rejects.toMatchObject({ code: 'PRODUCT_NOT_ACTIVE' })
})
