import { addDays, addMs, dateOf, minuteMs, type LocalDate } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { AccrualInputs, AccruedDay, Movement } from '../domain/accrued-day.ts'
import { isExempt } from '../domain/exemption.ts'
import type { InterestPosition } from '../domain/position.ts'
import { termsByDay } from '../domain/terms.ts'
import { readDays } from '../store/accrual.ts'
import { readMovements } from '../store/movement.ts'
import { findApprovedRates } from '../store/rate-override.ts'
import { findExemptions } from '../store/tax-exemption.ts'
import { readProducts } from './read-facts.ts'

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
  positions: readonly InterestPosition[],
): Promise<AccrualInputs[]> {
  const ids = positions.map(({ arrangementId }) => arrangementId)
  const [products, movements, rates, exemptions] = await Promise.all([
    readProducts(
      context,
      positions.map(({ productId }) => productId),
    ),
    readMovements(context, positions),
    findApprovedRates(context, ids),
    findExemptions(context, ids),
  ])
  const endedDay = lastEndedDay(context)
  return Promise.all(
    positions.map(async (position): Promise<AccrualInputs> => {
      const { arrangementId, productId, productVersion, accruedThrough } = position
      const ofAccount = (record: { arrangementId: string }) =>
        record.arrangementId === arrangementId
      const ownExemptions = exemptions.filter(ofAccount)
      const { isPartial, ...read } = movements.get(arrangementId)!
      return {
        position,
        ...read,
        accruedDays: await readCorrectedDays(context, position, read.movements),
        termsOn: termsByDay(products.get(productId)!, productVersion, rates.filter(ofAccount)),
        isExemptOn: (day) => isExempt(ownExemptions, day),
        through: isPartial ? accruedThrough : earlier(endedDay, addDays(accruedThrough, maxDays)),
        mayPay: true,
      }
    }),
  )
}

/** Reads the stored days that back-dated movements change. */
async function readCorrectedDays(
  context: Context,
  { arrangementId, accruedThrough }: InterestPosition,
  movements: readonly Movement[],
): Promise<ReadonlyMap<LocalDate, AccruedDay>> {
  const dates = movements.map(({ valueDate }) => valueDate)
  const backDated = dates.filter((date) => date <= accruedThrough)
  if (backDated.length === 0) return new Map()
  const firstDate = backDated.reduce((one, other) => earlier(one, other))
  return readDays(context, arrangementId, firstDate)
}

function earlier(one: LocalDate, other: LocalDate): LocalDate {
  return one < other ? one : other
}
