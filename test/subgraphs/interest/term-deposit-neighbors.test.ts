/** Term deposits among other accounts, requests and changes that meet them. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCaller, employee } from '../../kit/subgraph.ts'
import {
  anAccount,
  anInterestBank,
  aProduct,
  aVersion,
  balanceOf,
  eur,
  interestOf,
  newId,
  post,
  reconcile,
  start,
  type InterestBank,
} from './kit.ts'
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

const suspend = (arrangementId: string, isSuspended: boolean) =>
  bank.rows(
    `update ledger.balance set is_suspended = ${isSuspended}, stamp = gen_random_uuid()
     where account_id = '${arrangementId}'`,
  )

test('the settlement account earns interest on what it funded no more, and on the payout', async () => {
  const accounts = await twoAccounts(bank, {}, {}, '3.65')
  await deposit(bank, accounts)
  await bank.night('2026-02-01')
  // 31 days of 0.90 on the 9,000.00 that stayed, and then 1.00031 a day on 10,003.10.
  const { settlementArrangementId } = accounts
  expect((await interestOf(bank, settlementArrangementId)).accrued).toEqual({ amount: '27.90' })
  await bank.night('2026-02-11')
  const { accrued, accruals } = await interestOf(bank, settlementArrangementId)
  expect(accruals.nodes[0].balance).toEqual({ amount: '10003.10' })
  expect(accrued).toEqual({ amount: '37.90' })
  await reconcile(bank)
})

test('an account that cannot be paid does not hold up its neighbors', async () => {
  const [stuck, free] = [await twoAccounts(bank), await twoAccounts(bank)]
  await deposit(bank, stuck)
  await deposit(bank, free)
  await suspend(stuck.settlementArrangementId, true)
  await bank.night('2026-02-01')
  expect(await balances(free)).toEqual(['0.00', '10003.10'])
  expect(await balances(stuck)).toEqual(['1000.00', '9000.00'])
  expect((await depositsOf(bank, stuck.arrangementId))[0].state).toBe('ACTIVE')
  await bank.night('2026-02-03')
  await suspend(stuck.settlementArrangementId, false)
  await bank.night('2026-02-04')
  // Two days at the rate outside of terms, 0.01 each, until the day before the last attempt.
  expect(await balances(stuck)).toEqual(['0.00', '10003.12'])
  expect((await depositsOf(bank, stuck.arrangementId))[0]).toMatchObject({
    state: 'MATURED',
    endsOn: '2026-02-01',
    endedOn: '2026-02-03',
  })
  await reconcile(bank)
})

test('a deposit ends although its customer owes interest', async () => {
  const accounts = await twoAccounts(bank, {}, { capitalization: 'MONTHLY' })
  const { termDepositId } = await deposit(bank, accounts, { months: 12 })
  const { proposeInterestRateOverride } = await bank.act(`mutation {
    proposeInterestRateOverride(input: { arrangementId: "${accounts.arrangementId}",
      annualRatePct: "-3.65", validFrom: "2026-01-01", reason: "A charge" }) { rateOverrideId } }`)
  const { rateOverrideId } = proposeInterestRateOverride
  const approve = `mutation { approveInterestRateOverride(rateOverrideId: "${rateOverrideId}") { state } }`
  await bank.act(approve, {}, aCaller({ subject: 'second' }))
  await bank.night('2026-02-01')
  // 31 days of -0.10 were charged, although the account is blocked.
  expect(await balanceOf(bank, accounts.arrangementId)).toBe('996.90')
  await bank.night('2026-02-11')
  expect(await withdraw(bank, termDepositId)).toMatchObject({
    state: 'WITHDRAWN',
    penalty: { amount: '0.00' },
    paidOut: { amount: '995.90' },
  })
  await reconcile(bank)
})

test('a protected principal is paid back in full, also after tax', async () => {
  const earlyWithdrawal = { penaltyDays: 3650 }
  const accounts = await twoAccounts(bank, { earlyWithdrawal }, { withholdingTaxPct: '25' })
  const { termDepositId } = await deposit(bank, accounts)
  await bank.night('2026-01-21')
  expect(await withdraw(bank, termDepositId)).toMatchObject({
    interest: { amount: '2.00' },
    penalty: { amount: '1.50' },
    paidOut: { amount: '1000.00' },
  })
})

test('the penalty is at most what is there', async () => {
  const earlyWithdrawal = { penaltyDays: 3650, penaltyRatePct: '100', isPrincipalProtected: false }
  const offers = [{ months: 12, annualRatePct: '36.5' }]
  const accounts = await twoAccounts(bank, { earlyWithdrawal, offers })
  const { termDepositId } = await deposit(bank, accounts, { months: 12 })
  await bank.night('2026-01-11')
  expect(await withdraw(bank, termDepositId)).toMatchObject({
    penalty: { amount: '1010.00' },
    paidOut: { amount: '0.00' },
  })
  expect(await balances(accounts)).toEqual(['0.00', '9000.00'])
})

test('a block of the bank that meets the end of a deposit is kept', async () => {
  const all = []
  for (let at = 0; at < 6; at++) {
    const accounts = await twoAccounts(bank)
    await deposit(bank, accounts)
    all.push(accounts)
  }
  bank.clock.set('2026-02-01T00:05:00.000Z')
  const block = ({ arrangementId }: { arrangementId: string }) =>
    bank.act(
      `mutation { blockAccountArrangement(arrangementId: "${arrangementId}", kind: DEBIT) { state } }`,
    )
  await Promise.all([bank.accrue(), ...all.map(block)])
  for (const accounts of all) {
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
    expect(await blockOf(accounts.arrangementId)).toBe('debit')
  }
})

test('a repeated request with its key has the first answer', async () => {
  const accounts = await twoAccounts(bank, { earlyWithdrawal: { noticeDays: 5, penaltyDays: 1 } })
  const { arrangementId, settlementArrangementId } = accounts
  const input = { arrangementId, settlementArrangementId, amount: eur('1000.00'), months: 1 }
  const create = () =>
    bank.act(
      'mutation ($input: CreateTermDepositInput!) { createTermDeposit(input: $input) { termDepositId state } }',
      { input },
      undefined,
      `create-${arrangementId}`,
    )
  const created = await create()
  const { termDepositId } = created.createTermDeposit
  const first = await withdraw(bank, termDepositId, undefined, `notice-${arrangementId}`)
  expect(first.state).toBe('NOTICE_GIVEN')
  expect(await withdraw(bank, termDepositId, undefined, `notice-${arrangementId}`)).toEqual(first)
  const second = await withdraw(bank, termDepositId, 'A hardship.', `at-once-${arrangementId}`)
  expect(second.state).toBe('WITHDRAWN')
  expect(await withdraw(bank, termDepositId, 'A hardship.', `at-once-${arrangementId}`)).toEqual(
    second,
  )
  expect(await withdraw(bank, termDepositId, undefined, `notice-${arrangementId}`)).toEqual(first)
  await expect(
    withdraw(bank, termDepositId, 'Another reason.', `at-once-${arrangementId}`),
  ).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED' })
  await bank.act(
    `mutation { requestAccountArrangementClosure(arrangementId: "${arrangementId}") { state } }`,
  )
  await bank.act(
    `mutation { closeAccountArrangement(arrangementId: "${arrangementId}") { state } }`,
  )
  expect(await create()).toEqual(created)
})

test('several requests at once create one deposit of an account', async () => {
  const accounts = await twoAccounts(bank)
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => deposit(bank, accounts)))
  const failed = outcomes.flatMap((each) => (each.status === 'rejected' ? each.reason.code : []))
  expect(failed).toEqual(['TERM_DEPOSIT_RUNNING', 'TERM_DEPOSIT_RUNNING', 'TERM_DEPOSIT_RUNNING'])
  expect(await balances(accounts)).toEqual(['1000.00', '9000.00'])
})

test('two requests at once withdraw it once', async () => {
  const accounts = await twoAccounts(bank)
  const { termDepositId } = await deposit(bank, accounts)
  await bank.night('2026-01-21')
  const outcomes = await Promise.allSettled([1, 2, 3, 4].map(() => withdraw(bank, termDepositId)))
  expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
  expect(await balances(accounts)).toEqual(['0.00', '10001.00'])
  await reconcile(bank)
})

test('another product version, an account with a past, and other rights', async () => {
  bank.clock.set(start)
  const productId = newId('prd')
  await aTermVersion(bank, productId, '2026.1', null)
  const { arrangementId, settlementArrangementId } = await twoAccounts(bank)
  // The account's own version has no interest, and the version on sale applies to it later.
  const plain = newId('prd')
  await aVersion(bank, plain, '2026.1', null)
  const without = await anAccount(bank, plain, '0.00')
  await aTermVersion(bank, plain, '2026.2', fixedTerms, { existingAccountsFrom: '2026-09-01' })
  await bank.follow()
  await expect(
    deposit(bank, { arrangementId: without, settlementArrangementId }),
  ).rejects.toMatchObject({ code: 'TERM_DEPOSIT_NOT_OFFERED' })
  // Nothing is booked on balance, but a debit has a later value date.
  await post(bank, arrangementId, 'IN', '50.00')
  await post(bank, arrangementId, 'OUT', '50.00', '2026-01-05')
  await expect(deposit(bank, { arrangementId, settlementArrangementId })).rejects.toMatchObject({
    code: 'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED',
  })
  const query = `{ accountArrangement(arrangementId: "${arrangementId}") { termDeposits { state } } }`
  const lender = aCaller({ scopes: ['lending:read'] })
  await expect(bank.act(query, {}, lender)).rejects.toMatchObject({ code: 'INSUFFICIENT_SCOPE' })
  expect(await aProduct(bank)).toMatch(/^prd_/)
})

test('a death ends renewals, and new deposits', async () => {
  const accounts = await twoAccounts(bank)
  await deposit(bank, accounts, { maturityInstruction: 'RENEW_WITH_INTEREST' })
  const { arrangementId, settlementArrangementId } = await twoAccounts(bank)
  await bank.act(
    'mutation { recordDeath(partyId: "pty_ada", diedOn: "2025-12-30") { status } }',
    {},
    employee,
  )
  await expect(deposit(bank, { arrangementId, settlementArrangementId })).rejects.toMatchObject({
    code: 'PARTY_DECEASED',
  })
  await bank.night('2026-02-01')
  expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
  expect((await depositsOf(bank, accounts.arrangementId))[0].state).toBe('MATURED')
})
