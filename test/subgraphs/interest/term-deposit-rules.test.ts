/** What term deposits refuse, and what they protect: accounts, blocks and the rights of customers. */
import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aCaller } from '../../kit/subgraph.ts'
import { ada, anInterestBank, eur, type InterestBank } from './kit.ts'
import {
  aTermVersion,
  deposit,
  depositFields,
  fixedTerms,
  lookAt,
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

describe('What is refused', () => {
  test('accounts, terms and amounts that do not fit', async () => {
    const accounts = await twoAccounts(bank)
    const { arrangementId, settlementArrangementId } = accounts
    const refusals: [object, string, string | null][] = [
      [{ months: 7 }, 'TERM_DEPOSIT_NOT_OFFERED', '/months'],
      [{ amount: eur('99.99') }, 'TERM_DEPOSIT_NOT_OFFERED', '/amount/amount'],
      [{ amount: eur('100000.01') }, 'TERM_DEPOSIT_NOT_OFFERED', '/amount/amount'],
      [{ amount: { amount: '500.00', currency: 'USD' } }, 'CURRENCY_MISMATCH', '/amount/currency'],
      [{ amount: eur('50000.00') }, 'INSUFFICIENT_FUNDS', null],
      [
        { settlementArrangementId: arrangementId },
        'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED',
        '/settlementArrangementId',
      ],
      [
        { settlementArrangementId: 'arr_nobody' },
        'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED',
        '/settlementArrangementId',
      ],
      [
        { arrangementId: settlementArrangementId, settlementArrangementId: arrangementId },
        'TERM_DEPOSIT_ACCOUNT_NOT_ALLOWED',
        '/arrangementId',
      ],
      [{ arrangementId: 'arr_nobody' }, 'INTEREST_NOT_FOUND', null],
    ]
    for (const [more, code, pointer] of refusals) {
      const problem = await deposit(bank, accounts, more).catch((error) => error)
      expect(problem.code, JSON.stringify(more)).toBe(code)
      expect(problem.members.errors?.[0].pointer ?? null, code).toBe(pointer && `/input${pointer}`)
    }
    await deposit(bank, accounts)
    await expect(deposit(bank, accounts)).rejects.toMatchObject({ code: 'TERM_DEPOSIT_RUNNING' })
    await expect(withdraw(bank, 'tdp_nobody')).rejects.toMatchObject({
      code: 'TERM_DEPOSIT_NOT_FOUND',
    })
    expect(await balances(accounts)).toEqual(['1000.00', '9000.00'])
  })

  test('closing the account or its settlement account, while a block survives the deposit', async () => {
    const accounts = await twoAccounts(bank)
    const { arrangementId, settlementArrangementId } = accounts
    const { termDepositId } = await deposit(bank, accounts)
    const close = (id: string) =>
      bank.act(`mutation { requestAccountArrangementClosure(arrangementId: "${id}") { state } }`)
    await expect(close(arrangementId)).rejects.toMatchObject({ code: 'TERM_DEPOSIT_RUNNING' })
    await expect(close(settlementArrangementId)).rejects.toMatchObject({
      code: 'SETTLEMENT_ACCOUNT_IN_USE',
      members: { errors: [{ resourceId: termDepositId, code: 'TERM_DEPOSIT_RUNNING' }] },
    })
    const block = `mutation { blockAccountArrangement(arrangementId: "${arrangementId}", kind: DEBIT) { state } }`
    await bank.act(block)
    expect(await blockOf(arrangementId)).toBe('all')
    await bank.night('2026-02-01')
    expect(await balances(accounts)).toEqual(['0.00', '10003.10'])
    expect(await blockOf(arrangementId)).toBe('debit')
    await close(settlementArrangementId)
  })

  test('customers see their own deposits and cannot change them', async () => {
    const accounts = await twoAccounts(bank)
    const { termDepositId } = await deposit(bank, accounts)
    const query = `{ accountArrangement(arrangementId: "${accounts.arrangementId}") {
      termDeposits { ${depositFields} openedBy } } }`
    const own = await bank.act(query, {}, ada)
    expect(own.accountArrangement.termDeposits).toMatchObject([{ termDepositId, openedBy: null }])
    const other = aCaller({ partyId: 'pty_other' })
    expect(await bank.act(query, {}, other)).toEqual({ accountArrangement: null })
    await expect(
      bank.act(
        `mutation { withdrawTermDeposit(input: { termDepositId: "${termDepositId}" }) { state } }`,
        {},
        ada,
      ),
    ).rejects.toMatchObject({ code: 'NOT_FOR_DELEGATED_USERS' })
  })

  test('terms of products that contradict themselves', async () => {
    const faults: [object, string][] = [
      [{ offers: [] }, 'offers'],
      [
        {
          offers: [
            { months: 12, annualRatePct: '1' },
            { months: 6, annualRatePct: '1' },
          ],
        },
        'offers',
      ],
      [{ offers: [{ months: 121, annualRatePct: '1' }] }, 'offers'],
      [{ offers: [{ months: 6, annualRatePct: '-1' }] }, 'offers/0/annualRatePct'],
      [{ minimumAmount: eur('0.00') }, 'minimumAmount'],
      [{ minimumAmount: { amount: '1.00', currency: 'USD' } }, 'minimumAmount'],
      [{ maximumAmount: eur('1.00') }, 'maximumAmount'],
      [{ earlyWithdrawal: { noticeDays: 366 } }, 'earlyWithdrawal/noticeDays'],
      [{ earlyWithdrawal: { penaltyDays: -1 } }, 'earlyWithdrawal/penaltyDays'],
      [{ earlyWithdrawal: { penaltyRatePct: '101' } }, 'earlyWithdrawal/penaltyRatePct'],
    ]
    for (const [terms, member] of faults) {
      const problem = await aTermVersion(bank, 'prd_faulty', '2026.1', {
        ...fixedTerms,
        ...terms,
      }).catch((error) => error)
      const pointer = `/input/depositInterest/fixedTerms/${member}`
      expect(problem.members?.errors, member).toMatchObject([{ pointer, code: 'VALUE_INVALID' }])
      expect(problem.members.errors[0].detail).toMatch(/\.$/)
    }
  })
})
