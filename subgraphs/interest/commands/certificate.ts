import { dateOf } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readValueDatedBalance } from '../../../ledger/entries.ts'
import { daysOfYear, isYearFinal, type AccountCertificate } from '../domain/certificate.ts'
import type { InterestPosition } from '../domain/position.ts'
import { Problem } from '../domain/problems.ts'
import { deposits, overdrafts } from './book.ts'

/**
 * Reads the certificate of an account for a calendar year. Throws INVALID_DATE_RANGE for a year before
 * the opening or in the future.
 */
export async function readCertificate(
  context: Context,
  position: InterestPosition,
  year: number,
): Promise<AccountCertificate> {
  const { arrangementId, openedOn } = position
  const today = dateOf(context.now())
  const [first, last] = [openedOn, today].map((day) => Number(day.slice(0, 4)))
  if (year < first! || year > last!) {
    const detail = `The year is ${year}; it must be from ${first} to ${last}.`
    const errors = [{ pointer: '/year', code: 'INVALID_DATE_RANGE', detail }]
    throw new Problem('INVALID_DATE_RANGE', { detail, errors })
  }
  const period = daysOfYear(year)
  const [earned, charged, balance] = await Promise.all([
    deposits.payments.readPaid(context, arrangementId, period),
    overdrafts.payments.readPaid(context, arrangementId, period),
    readValueDatedBalance(context.bank.pool, arrangementId, period.to),
  ])
  return {
    year,
    position,
    ...earned,
    overdraftMinor: charged.grossMinor,
    balanceMinor: balance.committedMinor,
    isFinal: isYearFinal(year, position, today),
  }
}
