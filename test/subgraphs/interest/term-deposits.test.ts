/** Term deposits: a fixed rate, a block, and what happens at the maturity or before it. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { anInterestBank, balanceOf, interestOf, post, reconcile, type InterestBank } from './kit.ts'
import {
  aTermVersion,
  deposit,
  depositsOf,
  lookAt,
  fixedTerms,
  twoAccounts,
  withdraw,
} from './term-deposit-kit.ts'

let bank: InterestBank
let balances: ReturnType<typeof lookAt>['balances']
let blockOf: ReturnType<typeof lookAt>['blockOf']
beforeAll(async () => {
  bank = await anInterestBank()
  ;({ balances, blockOf } = lookAt(bank))
})
afterAll(() => bank.drop())

describe('A deposit until its maturity', () => {
  test('earns the rate of its term, is blocked, and is paid out with the interest', async () => {
    const accounts = await twoAccounts(bank)
    const { arrangementId } = accounts
    expect(await deposit(bank, accounts)).toMatchObject({
      state: 'ACTIVE',
      startsOn: '2026-01-01',
      maturesOn: '2026-02-01',
      endsOn: '2026-02-01',
      annualRatePct: '3.65',
      maturityInstruction: 'PAY_OUT',
      principal: { amount: '1000.00' },
      interest: { amount: '0.00' },
      penalty: null,
      paidOut: null,
    })
    expect(await balances(accounts)).toEqual(['1000.00', '9000.00'])
    for (const direction of ['IN', 'OUT'] as const) {
      await expect(post(bank, arrangementId, direction, '1.00')).rejects.toMatchObject({
        code: 'ARRANGEMENT_BLOCKED',
      })
    }
    expect(await balances(accounts)).toEqual(['1000.00', '9000.00'])
    await bank.night('2026-01-11')
    expect((await depositsOf(bank, arrangementId))[0]).toMatchObject({
      state: 'ACTIVE',
      interest: { amount: '1.00' },
    })
    expect(await interestOf(bank, arrangementId)).toMatchObject({
      accrued: { amount: '1.00' },
      nextCapitalizationOn: '2026-02-01',
    })
    await bank.night('2026-02-01')
    expect((await depositsOf(bank, arrangementId))[0]).toMatchObject({
      state: 'MATURED',
      endedOn: '2026-02-01',
      interest: { amount: '3.10' },
      penalty: { amount: '0.00' },
      paidOut: { amount: '1003.10' },
    })
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
    expect(await blockOf(arrangementId)).toBe(null)
    expect((await interestOf(bank, arrangementId)).capitalizations.nodes).toMatchObject([
      { reason: 'TERM_END', periodEnd: '2026-01-31', gross: { amount: '3.10' } },
    ])
    // The account is an ordinary one again, and earns the rate outside of terms.
    await post(bank, arrangementId, 'IN', '1000.00')
    await bank.night('2026-02-11')
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '0.10' })
    await reconcile(bank)
  })

  test('a late job pays the interest of the term, and nothing of it twice', async () => {
    const accounts = await twoAccounts(bank)
    await deposit(bank, accounts)
    await bank.night('2026-03-20')
    await bank.accrue()
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
    expect(await depositsOf(bank, accounts.arrangementId)).toHaveLength(1)
    await reconcile(bank)
  })

  test('withholds tax, and pays interest by the calendar of the product meanwhile', async () => {
    const more = { capitalization: 'MONTHLY', withholdingTaxPct: '25' }
    const accounts = await twoAccounts(bank, {}, more)
    await deposit(bank, accounts, { months: 12, maturityInstruction: 'RENEW_PRINCIPAL' })
    await bank.night('2026-02-01')
    // 31 days of 0.20 are 6.20, less a quarter.
    expect(await balanceOf(bank, accounts.arrangementId)).toBe('1004.65')
    for (const day of ['2026-04-01', '2026-06-01', '2026-08-01', '2026-10-01', '2026-12-01']) {
      await bank.night(day)
    }
    await bank.night('2027-01-01')
    const [next, first] = await depositsOf(bank, accounts.arrangementId)
    expect(first).toMatchObject({ state: 'RENEWED', endedOn: '2027-01-01' })
    expect(next).toMatchObject({
      state: 'ACTIVE',
      principal: { amount: '1000.00' },
      startsOn: '2027-01-01',
      previousTermDepositId: first.termDepositId,
    })
    const [held, settled] = await balances(accounts)
    expect(held).toBe('1000.00')
    // All interest of the year, with the interest on interest, less a quarter.
    const gross = Number(first.interest.amount)
    expect(gross).toBeGreaterThan(73)
    expect(Number(settled)).toBeCloseTo(9000 + gross * 0.75, 0)
    await reconcile(bank)
  })
})

describe('Renewal', () => {
  test('with interest, at the rate that is offered then', async () => {
    const accounts = await twoAccounts(bank)
    const { productId, arrangementId } = accounts
    await deposit(bank, accounts, { maturityInstruction: 'RENEW_WITH_INTEREST' })
    const offers = [{ months: 1, annualRatePct: '36.5' }]
    await aTermVersion(bank, productId, '2026.2', { ...fixedTerms, offers })
    await bank.night('2026-02-01')
    const [next] = await depositsOf(bank, arrangementId)
    expect(next).toMatchObject({
      state: 'ACTIVE',
      annualRatePct: '36.5',
      principal: { amount: '1003.10' },
      maturesOn: '2026-03-01',
    })
    expect(await blockOf(arrangementId)).toBe('all')
    await bank.night('2026-02-11')
    // Ten days of 1.0031.
    expect((await interestOf(bank, arrangementId)).accrued).toEqual({ amount: '10.03' })
    await reconcile(bank)
  })

  test('twice in one night, after a long pause', async () => {
    const accounts = await twoAccounts(bank)
    await deposit(bank, accounts, { maturityInstruction: 'RENEW_PRINCIPAL' })
    await bank.night('2026-03-05')
    const all = await depositsOf(bank, accounts.arrangementId)
    expect(all.map(({ state, startsOn, interest }) => [state, startsOn, interest.amount])).toEqual([
      ['ACTIVE', '2026-03-01', '0.40'],
      ['RENEWED', '2026-02-01', '2.80'],
      ['RENEWED', '2026-01-01', '3.10'],
    ])
    expect(await balances(accounts)).toEqual(['1000.00', '9005.90'])
    await reconcile(bank)
  })

  test('is paid out if the bank no longer offers the term', async () => {
    const accounts = await twoAccounts(bank)
    await deposit(bank, accounts, { maturityInstruction: 'RENEW_PRINCIPAL' })
    await aTermVersion(bank, accounts.productId, '2026.2', null)
    await bank.night('2026-02-01')
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
    expect((await depositsOf(bank, accounts.arrangementId))[0].state).toBe('MATURED')
  })

  test('the instruction can be changed until the end', async () => {
    const accounts = await twoAccounts(bank)
    const { termDepositId } = await deposit(bank, accounts)
    const change = `mutation ($input: ChangeMaturityInstructionInput!) {
      changeMaturityInstruction(input: $input) { maturityInstruction } }`
    const input = { termDepositId, maturityInstruction: 'RENEW_WITH_INTEREST' }
    expect(await bank.act(change, { input })).toEqual({
      changeMaturityInstruction: { maturityInstruction: 'RENEW_WITH_INTEREST' },
    })
    await bank.night('2026-02-01')
    await expect(bank.act(change, { input })).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
      members: { currentState: 'renewed' },
    })
  })
})

describe('Early withdrawal', () => {
  test('costs days of interest, at most the interest of the term', async () => {
    const accounts = await twoAccounts(bank)
    const { termDepositId } = await deposit(bank, accounts)
    await bank.night('2026-01-21')
    const preview = `query ($input: WithdrawTermDepositInput!) { previewTermDepositWithdrawal(input: $input) {
      endsOn interest { amount } penalty { amount } paidOut { amount } } }`
    const { previewTermDepositWithdrawal } = await bank.act(preview, { input: { termDepositId } })
    expect(previewTermDepositWithdrawal).toEqual({
      endsOn: '2026-01-21',
      interest: { amount: '2.00' },
      penalty: { amount: '1.00' },
      paidOut: { amount: '1001.00' },
    })
    expect(await withdraw(bank, termDepositId)).toMatchObject({
      state: 'WITHDRAWN',
      endedOn: '2026-01-21',
      penalty: { amount: '1.00' },
      paidOut: { amount: '1001.00' },
    })
    expect(await balances(accounts)).toEqual(['0.00', '10001.00'])
    expect(await blockOf(accounts.arrangementId)).toBe(null)
    await expect(withdraw(bank, termDepositId)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    })
    const second = await deposit(bank, accounts)
    await bank.night('2026-01-26')
    expect(await withdraw(bank, second.termDepositId)).toMatchObject({
      interest: { amount: '0.50' },
      penalty: { amount: '0.50' },
      paidOut: { amount: '1000.00' },
    })
    await reconcile(bank)
  })

  test('a lower rate afterwards, with notice, and an unprotected principal', async () => {
    const earlyWithdrawal = {
      noticeDays: 5,
      penaltyDays: 3650,
      penaltyRatePct: '3.65',
      isPrincipalProtected: false,
    }
    const accounts = await twoAccounts(bank, { earlyWithdrawal })
    const { termDepositId } = await deposit(bank, accounts, { months: 12 })
    await bank.night('2026-01-06')
    expect(await withdraw(bank, termDepositId)).toMatchObject({
      state: 'NOTICE_GIVEN',
      noticeGivenOn: '2026-01-06',
      endsOn: '2026-01-11',
      maturesOn: '2027-01-01',
    })
    expect(await balanceOf(bank, accounts.arrangementId)).toBe('1000.00')
    await bank.night('2026-01-11')
    // Ten days of 0.20 less ten days of 0.10, and 3,650 days of 0.20: 730.00.
    expect((await depositsOf(bank, accounts.arrangementId))[0]).toMatchObject({
      state: 'WITHDRAWN',
      interest: { amount: '2.00' },
      penalty: { amount: '731.00' },
      paidOut: { amount: '271.00' },
    })
    expect(await balances(accounts)).toEqual(['0.00', '9271.00'])
    await reconcile(bank)
  })

  test('a notice beyond the maturity only turns a renewal into a payout', async () => {
    const accounts = await twoAccounts(bank, {
      earlyWithdrawal: { noticeDays: 60, penaltyDays: 10 },
    })
    const { termDepositId } = await deposit(bank, accounts, {
      maturityInstruction: 'RENEW_PRINCIPAL',
    })
    expect(await withdraw(bank, termDepositId)).toMatchObject({
      state: 'ACTIVE',
      endsOn: '2026-02-01',
      maturityInstruction: 'PAY_OUT',
    })
    await bank.night('2026-02-01')
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
  })

  test('needs an agreement or a waiver with its reason, which also ends a notice', async () => {
    const accounts = await twoAccounts(bank, { earlyWithdrawal: null })
    const { termDepositId } = await deposit(bank, accounts)
    await bank.night('2026-01-11')
    await expect(withdraw(bank, termDepositId)).rejects.toMatchObject({
      code: 'EARLY_WITHDRAWAL_NOT_ALLOWED',
    })
    expect(await withdraw(bank, termDepositId, 'The customer died.')).toMatchObject({
      state: 'WITHDRAWN',
      penalty: { amount: '0.00' },
      paidOut: { amount: '1001.00' },
    })
    const noticed = await twoAccounts(bank, { earlyWithdrawal: { noticeDays: 20, penaltyDays: 5 } })
    const second = await deposit(bank, noticed)
    await withdraw(bank, second.termDepositId)
    await expect(withdraw(bank, second.termDepositId)).rejects.toMatchObject({
      code: 'INVALID_STATE_TRANSITION',
    })
    expect(await withdraw(bank, second.termDepositId, 'A hardship.')).toMatchObject({
      state: 'WITHDRAWN',
      paidOut: { amount: '1000.00' },
    })
    await reconcile(bank)
  })
})
