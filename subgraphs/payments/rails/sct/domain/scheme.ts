import { addMs, dateOf, minuteMs, type LocalDate } from '../../../../../kernel/domain/dates.ts'
import {
  instantAt,
  businessDayFrom,
  nextBusinessDay,
  nextOnBusinessDay,
} from '../../../domain/calendar.ts'
import type { Payment } from '../../../domain/payment.ts'
import { accept, type BatchRail } from '../../../domain/rail-batch.ts'

/** The timetable of the simulated credit transfer. Times of day are in UTC. */
const timetable = {
  cutOff: '15:00',
  /** The time between the cut-off and the acknowledgement of the batch. */
  acknowledgedAfterMs: 15 * minuteMs,
  /** The time of settlement, on the business day after the cut-off. */
  settles: '07:00',
  /** The time of returns, on the business day after settlement. */
  returns: '10:00',
} as const

/** The length of an IBAN by SEPA country. */
const ibanLengths: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 ' +
    'HU28 IE22 IS26 IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 ' +
    'SE24 SI19 SK24 SM27 VA22'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** The reason codes of simulated returns (ISO 20022, external return reason codes). */
const returnReasons = ['AC01', 'AC04', 'AC06', 'AG01', 'MD07', 'MS03', 'RR04'] as const

/**
 * Returns the reason code for which the simulated bank returns a payment; null if the payment is
 * not returned. The creditor's name determines the code, such as `RETURN AC04` for a closed
 * account.
 */
export function simulatedReturnReason({ creditorName }: Payment): string | null {
  return returnReasons.find((reason) => creditorName === `RETURN ${reason}`) ?? null
}

/**
 * A simulation of SEPA Credit Transfer, in euro. Payments are sent in a batch at the cut-off,
 * settle one business day later, and can be returned. No message leaves this program.
 */
export const scheme: BatchRail = {
  name: 'sct',
  description:
    'The payment is made by SEPA Credit Transfer. Available only in the sandbox, as a simulation.',
  isSimulated: true,
  settlementAccount: 'settlement-sct',
  reaches({ arrangementId, iban, currency }) {
    if (arrangementId !== null || iban === null) return false
    return currency === 'EUR' && ibanLengths[iban.slice(0, 2)] === iban.length
  },
  execute: (payment, now) => accept(scheme, payment, now),
  leavesOn: (date: LocalDate) => nextBusinessDay(businessDayFrom(date)),
  cutOffAfter: (now) => nextOnBusinessDay(now, timetable.cutOff),
  acknowledgedAt: (cutOffAt) => addMs(cutOffAt, timetable.acknowledgedAfterMs),
  settlesAt: (cutOffAt) => instantAt(nextBusinessDay(dateOf(cutOffAt)), timetable.settles),
  returnsAt(payment, settlesAt) {
    if (simulatedReturnReason(payment) === null) return null
    return instantAt(nextBusinessDay(dateOf(settlesAt)), timetable.returns)
  },
}
