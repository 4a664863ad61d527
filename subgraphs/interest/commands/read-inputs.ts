import { addDays, addMs, dateOf, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { AccrualInputs, AccruedDay, Movement } from '../domain/accrued-day.ts'
import type { InterestPosition } from '../domain/position.ts'
import { readMovements } from '../store/movement.ts'
import type { Book } from './book.ts'

/** The maximum number of days that are accrued for one account in one commit. */
const maxDays = 62

/**
 * Returns the last day that has ended. It waits a minute for the last bookings of the day, which can
 * commit shortly after midnight; a booking that comes later still is corrected as a back-dated one.
 */
export function lastEndedDay(context: Context): LocalDate {
  return addDays(dateOf(addMs(context.now(), -minuteMs)), -1)
}

/** Reads what the interest of accounts is accrued from through the last day that has ended. */
export async function readInputs(
  context: Context,
  book: Book,
  positions: readonly InterestPosition[],
): Promise<AccrualInputs[]> {
  const [terms, movements] = await Promise.all([
    book.readTerms(context, positions),
    readMovements(context, book, positions),
  ])
  const endedDay = lastEndedDay(context)
  return Promise.all(
    positions.map(async (position, index): Promise<AccrualInputs> => {
      const { arrangementId, accruedThrough } = position
      const { isPartial, ...read } = movements.get(arrangementId)!
      return {
        position,
        ...read,
        ...terms[index]!,
        accruedDays: await readCorrectedDays(context, book, position, read.movements),
        through: isPartial ? accruedThrough : earlier(endedDay, addDays(accruedThrough, maxDays)),
        mayPay: true,
      }
    }),
  )
}

/** Reads the stored days that back-dated movements change, and the day before them. */
async function readCorrectedDays(
  context: Context,
  { days }: Book,
  { arrangementId, accruedThrough }: InterestPosition,
  movements: readonly Movement[],
): Promise<ReadonlyMap<LocalDate, AccruedDay>> {
  const dates = movements.map(({ valueDate }) => valueDate)
  const backDated = dates.filter((date) => date <= accruedThrough)
  if (backDated.length === 0) return new Map()
  const firstDate = backDated.reduce((one, other) => earlier(one, other))
  return days.readFrom(context, arrangementId, addDays(firstDate, -1))
}

function earlier(one: LocalDate, other: LocalDate): LocalDate {
  return one < other ? one : other
}
