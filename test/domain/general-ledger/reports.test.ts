import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { chart as ledgerChart } from '../../../ledger/domain/account.ts'
import {
  chartOf,
  requireValidAccount,
  treeOf,
} from '../../../subgraphs/general-ledger/domain/chart.ts'
import {
  defaultAccounts,
  defaultMapping,
} from '../../../subgraphs/general-ledger/domain/default-chart.ts'
import { findingsOf } from '../../../subgraphs/general-ledger/domain/findings.ts'
import { yearEndLines } from '../../../subgraphs/general-ledger/domain/journal-entry.ts'
import { typeOfCode } from '../../../subgraphs/general-ledger/domain/mapping-rule.ts'
import { Mapping } from '../../../subgraphs/general-ledger/domain/mapping.ts'
import { valueOf } from '../../../subgraphs/general-ledger/domain/position.ts'
import {
  balanceSheetsOf,
  profitAndLossOf,
  trialBalanceOf,
  type KeyTotals,
} from '../../../subgraphs/general-ledger/domain/reports.ts'

const chart = chartOf([])
const codes = Object.keys(defaultMapping)

describe('default chart', () => {
  test.each([...Object.keys(ledgerChart), 'customer', 'loan'])(
    'the ledger accounts with the code %s belong to a posting account of their type',
    (code) => {
      const account = chart.get(
        new Mapping([]).accountOf({ ledgerCode: code, productId: '' }, '2026-01-01')!,
      )
      expect([account?.usage, account?.type]).toEqual(['posting', typeOfCode(code)])
    },
  )

  test('is a valid tree that shows every account once', () => {
    for (const account of defaultAccounts.values()) requireValidAccount(chart, account)
    expect(treeOf(chart).map(({ account }) => account.accountNumber)).toEqual([...chart.keys()])
  })
})

describe('mapping', () => {
  const rule = (accountNumber: string, validFrom: string, productId: string | null = null) => ({
    ledgerCode: 'customer',
    productId,
    accountNumber,
    validFrom,
  })
  const mapping = new Mapping([
    rule('2110', '2026-02-01'),
    rule('2120', '2026-03-01', 'prd_a'),
    rule('2130', '2026-04-01'),
  ])
  test.each([
    ['', '2026-01-31', '2100'],
    ['', '2026-02-01', '2110'],
    ['prd_a', '2026-02-28', '2110'],
    ['prd_a', '2026-03-01', '2120'],
    ['prd_a', '2026-04-01', '2120'],
    ['prd_b', '2026-03-31', '2110'],
    ['prd_b', '2026-04-01', '2130'],
  ])('the product "%s" belongs on %s to %s', (productId, day, accountNumber) => {
    expect(mapping.accountOf({ ledgerCode: 'customer', productId }, day)).toBe(accountNumber)
  })

  test('an unknown code belongs to no account, which is a finding', () => {
    const key = {
      ledgerCode: 'new-code',
      productId: '',
      currency: 'EUR',
      types: ['asset'],
      ledgerMinor: 5n,
      generalLedgerMinor: 5n,
      notDatedMinor: 0n,
    }
    expect(mapping.accountOf(key, '2026-01-01')).toBeNull()
    expect(findingsOf([key], mapping, chart, '2026-01-01').map(({ kind }) => kind)).toEqual([
      'unmapped',
    ])
  })
})

/** Movements between random ledger accounts, each a debit and a credit of the same amount. */
const movements = fc.array(
  fc.record({
    debit: fc.constantFrom(...codes),
    credit: fc.constantFrom(...codes),
    currency: fc.constantFrom('EUR', 'USD'),
    amount: fc.bigInt({ min: 1n, max: 10n ** 12n }),
    isEarlier: fc.boolean(),
  }),
  { maxLength: 40 },
)

const keysOf = (
  list: readonly {
    debit: string
    credit: string
    currency: string
    amount: bigint
    isEarlier: boolean
  }[],
) =>
  list.flatMap(({ debit, credit, currency, amount, isEarlier }): KeyTotals[] => [
    {
      ledgerCode: debit,
      productId: '',
      currency,
      openingMinor: isEarlier ? amount : 0n,
      debitMinor: isEarlier ? 0n : amount,
      creditMinor: 0n,
    },
    {
      ledgerCode: credit,
      productId: '',
      currency,
      openingMinor: isEarlier ? -amount : 0n,
      debitMinor: 0n,
      creditMinor: isEarlier ? 0n : amount,
    },
  ])

describe('reports', () => {
  const changed = new Mapping([
    { ledgerCode: 'customer', productId: null, accountNumber: '2900', validFrom: '2026-03-01' },
  ])
  const sum = (minors: readonly bigint[]) => minors.reduce((total, each) => total + each, 0n)

  test('a trial balance adds up, also in the month in which a mapping rule begins', () => {
    fc.assert(
      fc.property(movements, fc.constantFrom(new Mapping([]), changed), (list, mapping) => {
        for (const { accounts, currency } of trialBalanceOf(
          keysOf(list),
          mapping,
          '2026-03-01',
          '2026-02-28',
        )) {
          const own = list.filter((each) => each.currency === currency)
          const total = sum(own.filter(({ isEarlier }) => !isEarlier).map(({ amount }) => amount))
          expect(sum(accounts.map(({ debitMinor }) => debitMinor))).toBe(total)
          expect(sum(accounts.map(({ creditMinor }) => creditMinor))).toBe(total)
          expect(sum(accounts.map(({ closingMinor }) => closingMinor))).toBe(0n)
          expect(sum(accounts.map(({ reclassifiedMinor }) => reclassifiedMinor))).toBe(0n)
          for (const each of accounts) {
            expect(each.closingMinor).toBe(
              each.openingMinor + each.reclassifiedMinor + each.debitMinor - each.creditMinor,
            )
          }
        }
      }),
    )
  })

  test('assets = liabilities + equity + result, before and after the year is closed', () => {
    fc.assert(
      fc.property(movements, (list) => {
        const mapping = new Mapping([])
        const balances = keysOf(list).map(({ openingMinor, debitMinor, creditMinor, ...key }) => ({
          ...key,
          balanceMinor: openingMinor + debitMinor - creditMinor,
          day: '2026-12-31',
        }))
        const sheets = balanceSheetsOf(balances, mapping, chart)
        for (const sheet of sheets) {
          const { assetsMinor, liabilitiesMinor, equityMinor, resultMinor, unmappedMinor } = sheet
          expect(assetsMinor).toBe(liabilitiesMinor + equityMinor + resultMinor)
          expect(unmappedMinor).toBe(0n)
          const statement = profitAndLossOf(balances, mapping, chart).find(
            ({ currency }) => currency === sheet.currency,
          )
          expect(statement?.resultMinor ?? 0n).toBe(resultMinor)
        }
        const lines = yearEndLines(
          balances
            .filter(({ ledgerCode }) => ['income', 'expense'].includes(typeOfCode(ledgerCode)!))
            .map(({ ledgerCode, currency, balanceMinor }) => ({
              accountNumber: mapping.accountOf({ ledgerCode, productId: '' }, '2026-12-31')!,
              ledgerAccountId: `${ledgerCode}/${currency}`,
              currency,
              balanceMinor,
            })),
          '3200',
        )
        const closed = balanceSheetsOf(
          [
            ...balances,
            ...lines.map(({ accountNumber, side, amountMinor, currency }) => ({
              ledgerCode: `gl-${accountNumber}`,
              productId: '',
              currency,
              balanceMinor: side === 'debit' ? amountMinor : -amountMinor,
              day: '2026-12-31',
            })),
          ],
          mapping,
          chart,
        )
        closed.forEach((sheet, index) => {
          expect(sheet.resultMinor).toBe(0n)
          expect(sheet.equityMinor).toBe(sheets[index]!.equityMinor + sheets[index]!.resultMinor)
          expect(sheet.assetsMinor).toBe(sheets[index]!.assetsMinor)
        })
      }),
    )
  })
})

test.each([
  [{ baseCurrency: 'USD', rate: '0.5' }, 1000n, 'USD', 500n, '0.5'],
  [{ baseCurrency: 'EUR', rate: '160' }, 32000n, 'JPY', 20000n, '0.00625'],
  [{ baseCurrency: 'EUR', rate: '1.6' }, -1n, 'USD', -1n, '0.625'],
])('values a position at %o: %s %s is %s', (rate, amount, currency, value, price) => {
  expect(valueOf(amount, currency, 'EUR', rate)).toEqual({ valueMinor: value, rate: price })
})
