import type { LocalDate } from '../../../kernel/domain/dates.ts'
import { ClosingRates } from '../../../subgraphs/general-ledger/domain/closing-rate.ts'
import type { PositionMovements } from '../../../subgraphs/general-ledger/domain/position-cost.ts'

/** A rate as of a day: `EUR/USD 1.25` is the price of one euro in dollars. */
export interface DayRate {
  pair: string
  rate: string
  asOf: LocalDate
  /** The day whose closing rate it is. Default: `asOf`. */
  day?: LocalDate
}

/** Returns the closing rates of euros with some rates. */
export function ratesOf(...rates: DayRate[]): ClosingRates {
  return new ClosingRates(
    'EUR',
    rates.map(({ pair, rate, asOf, day = asOf }, index) => {
      const [baseCurrency, quoteCurrency] = pair.split('/') as [string, string]
      return {
        currency: baseCurrency === 'EUR' ? quoteCurrency : baseCurrency,
        day,
        closingRate: {
          exchangeRateId: `fxr_${index}`,
          baseCurrency,
          rate,
          asOf: new Date(`${asOf}T15:00:00Z`),
        },
      }
    }),
  )
}

/** Returns what a posting moved positions by, in minor units; what the bank received is positive. */
export const posting = (
  day: LocalDate | null,
  movements: Record<string, bigint>,
): PositionMovements => ({ day, movements: new Map(Object.entries(movements)) })
