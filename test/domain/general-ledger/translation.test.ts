import { describe, expect, test } from 'vitest'
import { chartOf } from '../../../subgraphs/general-ledger/domain/chart.ts'
import { Mapping } from '../../../subgraphs/general-ledger/domain/mapping.ts'
import type { KeyBalance } from '../../../subgraphs/general-ledger/domain/reports.ts'
import {
  currenciesToTranslate,
  translatedBalanceSheetOf,
} from '../../../subgraphs/general-ledger/domain/translation.ts'
import { ratesOf } from './revaluation-kit.ts'

const march = '2026-03-31'

describe('a translated balance sheet', () => {
  const balance = (ledgerCode: string, currency: string, balanceMinor: bigint): KeyBalance => ({
    ledgerCode,
    productId: '',
    currency,
    balanceMinor,
    day: march,
  })
  const rates = ratesOf({ pair: 'EUR/USD', rate: '3', asOf: march })
  const sheetOf = (balances: KeyBalance[]) =>
    translatedBalanceSheetOf(balances, new Mapping([]), chartOf([]), rates, march)

  test('adds all currencies at the closing rate and shows what rounding leaves', () => {
    const balances = [
      balance('nostro', 'EUR', 1_000n),
      balance('capital', 'EUR', -1_000n),
      balance('nostro', 'USD', 100n),
      balance('customer', 'USD', -50n),
      balance('fee-income', 'USD', -50n),
      balance('suspense', 'JPY', 0n),
    ]
    expect(currenciesToTranslate(balances, 'EUR')).toEqual(['USD'])
    // 1.00 / 3 = 0.33 and 0.50 / 3 = 0.17 twice, so that 0.33 - 0.34 = -0.01 remains.
    const sheet = sheetOf(balances)
    expect(sheet).toMatchObject({
      currency: 'EUR',
      assetsMinor: 1_033n,
      liabilitiesMinor: 17n,
      equityMinor: 1_000n,
      resultMinor: 17n,
      unmappedMinor: 0n,
      roundingDifferenceMinor: -1n,
      isBalanced: true,
    })
    expect(
      sheet.lines.map(({ account, balanceMinor }) => [account.accountNumber, balanceMinor]),
    ).toContainEqual(['1110', 1_033n])
  })

  test('says when a currency does not balance', () => {
    expect(sheetOf([balance('nostro', 'USD', 3n)])).toMatchObject({ isBalanced: false })
    expect(sheetOf([])).toMatchObject({ assetsMinor: 0n, lines: [], isBalanced: true })
  })
})
