import type { LocalDate } from '../../../kernel/domain/dates.ts'
import type { StoredLine } from '../model/journal-entry.ts'
import type { GeneralLedgerFinding } from '../model/reports.ts'
import type { StoredRevaluationLine } from '../model/revaluation.ts'
import type { ClosingRates } from './closing-rate.ts'
import { requirePostingAccount, type Chart } from './chart.ts'
import { defaultAccounts, revaluationAccounts } from './default-chart.ts'
import { ownLedgerAccountId } from './mapping.ts'
import type { CostedPosition } from './position-cost.ts'
import { Problem } from './problems.ts'

/** What a revaluation found, as far as later ones depend on it. */
export interface FormerRevaluation {
  functionalCurrency: string
  lines: readonly StoredRevaluationLine[]
}

/**
 * Checks the accounts on which revaluations are booked, which a bank may have changed. Throws
 * GENERAL_LEDGER_ACCOUNT_NOT_FOUND (422), ACCOUNT_NOT_POSTABLE and ACCOUNT_TYPE_MISMATCH.
 */
export function requireRevaluationAccounts(chart: Chart): void {
  for (const accountNumber of Object.values(revaluationAccounts)) {
    const { type } = requirePostingAccount(chart, accountNumber)
    const expected = defaultAccounts.get(accountNumber)!.type
    if (type === expected) continue
    const detail = `${accountNumber} has the type ${type}; revaluations need the type ${expected}.`
    throw new Problem('ACCOUNT_TYPE_MISMATCH', { detail, resourceId: accountNumber })
  }
}

/** Throws FUNCTIONAL_CURRENCY_CHANGED if a revaluation was made in another functional currency. */
export function requireSameFunctionalCurrency(
  former: readonly Pick<FormerRevaluation, 'functionalCurrency'>[],
  functionalCurrency: string,
): void {
  const other = former.find((each) => each.functionalCurrency !== functionalCurrency)
  if (!other) return
  const detail = `FUNCTIONAL_CURRENCY is ${functionalCurrency}, but positions were revalued in ${other.functionalCurrency}. Set FUNCTIONAL_CURRENCY to ${other.functionalCurrency}.`
  throw new Problem('FUNCTIONAL_CURRENCY_CHANGED', { detail })
}

/**
 * Revalues positions at the closing rates of a day (IAS 21.23). `former` are all revaluations of the
 * period and of earlier ones. The gain on a position is its value less its cost; the difference is
 * what former revaluations have not booked of it. Throws CLOSING_RATE_MISSING.
 */
export function revalue(
  positions: readonly CostedPosition[],
  former: readonly FormerRevaluation[],
  rates: ClosingRates,
  day: LocalDate,
): StoredRevaluationLine[] {
  const bookedMinor = new Map<string, bigint>()
  for (const { currency, differenceMinor } of former.flatMap(({ lines }) => lines)) {
    bookedMinor.set(currency, (bookedMinor.get(currency) ?? 0n) + differenceMinor)
  }
  const found = new Map(positions.map((position) => [position.currency, position]))
  const currencies = [...new Set([...found.keys(), ...bookedMinor.keys()])].sort()
  return currencies
    .map((currency) => {
      const { positionMinor, costMinor } = found.get(currency) ?? nothing
      const value = positionMinor === 0n ? null : rates.valueOf(positionMinor, { currency, day })
      const valueMinor = value?.valueMinor ?? 0n
      const bookedBeforeMinor = bookedMinor.get(currency) ?? 0n
      return {
        currency,
        positionMinor,
        costMinor,
        rate: value && value.rate,
        exchangeRateId: value && rates.rateOf({ currency, day }).exchangeRateId,
        valueMinor,
        bookedBeforeMinor,
        differenceMinor: valueMinor - costMinor - bookedBeforeMinor,
      }
    })
    .filter(
      ({ positionMinor, costMinor, bookedBeforeMinor }) =>
        positionMinor !== 0n || costMinor !== 0n || bookedBeforeMinor !== 0n,
    )
}

const nothing = { positionMinor: 0n, costMinor: 0n, rate: null }

/**
 * Whether a revaluation no longer agrees with what a revaluation of its period would find now:
 * another position, cost or rate, or a difference that is not booked.
 */
export function isOutdated(
  latest: Pick<FormerRevaluation, 'lines'>,
  current: readonly StoredRevaluationLine[],
): boolean {
  const findings = (lines: readonly StoredRevaluationLine[], currency: string) => {
    const line = lines.find((each) => each.currency === currency) ?? nothing
    return `${line.positionMinor} ${line.costMinor} ${line.rate}`
  }
  return (
    current.some(({ differenceMinor }) => differenceMinor !== 0n) ||
    [...latest.lines, ...current].some(
      ({ currency }) => findings(latest.lines, currency) !== findings(current, currency),
    )
  )
}

/**
 * Returns what is wrong with the revaluation of a period: it was not made although there are
 * positions, or it is outdated; null if nothing is. `latest` is null if the period was not revalued.
 */
export function revaluationFinding(
  accountingPeriodId: string,
  latest: Pick<FormerRevaluation, 'lines'> | null,
  current: readonly StoredRevaluationLine[],
): GeneralLedgerFinding | null {
  const subject = accountingPeriodId
  if (latest) {
    if (!isOutdated(latest, current)) return null
    const detail = `A position, its cost or its closing rate changed after ${subject} was revalued. Revalue the period again.`
    return { kind: 'outdated-revaluation', subject, detail }
  }
  const open = current.filter(
    ({ positionMinor, differenceMinor }) => positionMinor !== 0n || differenceMinor !== 0n,
  )
  if (open.length === 0) return null
  const currencies = open.map(({ currency }) => currency).join(', ')
  const detail = `The positions in ${currencies} were not revalued at the end of ${subject}.`
  return { kind: 'not-revalued', subject, detail }
}

/** Returns the gains less the losses that lines book, in minor units. */
export function gainOf(lines: readonly StoredRevaluationLine[]): bigint {
  return lines.reduce((sum, { differenceMinor }) => sum + differenceMinor, 0n)
}

/**
 * Returns the lines of the journal entry that books a revaluation: gains and losses are shown apart
 * (IAS 21.28), and the revaluation account takes their sum. Empty if there is no difference.
 */
export function entryLinesOf(
  lines: readonly StoredRevaluationLine[],
  functionalCurrency: string,
): StoredLine[] {
  const total = (sign: 1n | -1n) =>
    lines.reduce((sum, line) => {
      const minor = line.differenceMinor * sign
      return minor > 0n ? sum + minor : sum
    }, 0n)
  const [gainsMinor, lossesMinor] = [total(1n), total(-1n)]
  const { position, gains, losses } = revaluationAccounts
  return [
    { accountNumber: position, debitMinor: gainsMinor - lossesMinor },
    { accountNumber: gains, debitMinor: -gainsMinor },
    { accountNumber: losses, debitMinor: lossesMinor },
  ]
    .filter(({ debitMinor }) => debitMinor !== 0n)
    .map(({ accountNumber, debitMinor }) => ({
      accountNumber,
      ledgerAccountId: ownLedgerAccountId(accountNumber, functionalCurrency),
      side: debitMinor > 0n ? 'debit' : 'credit',
      amountMinor: debitMinor > 0n ? debitMinor : -debitMinor,
      currency: functionalCurrency,
    }))
}
