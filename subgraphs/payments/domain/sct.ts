import { addMs, dateOf, minuteMs } from '../../_kernel/domain/dates.ts'
import { requireMove, type Transitions } from '../../_kernel/domain/states.ts'
import type { Versioned } from '../../_kernel/domain/versioned.ts'
import { internalAccountId } from '../../_ledger/domain/account.ts'
import { movement } from '../../_ledger/domain/authorisation.ts'
import type { Instruction } from '../../_ledger/domain/instruction.ts'
import { at, businessDayFrom, nextBusinessDay, nextOnBusinessDay } from './calendar.ts'
import { moneyOf, movePayment, type Payment } from './payment.ts'
import { termsOf, type Rail, type Step } from './rail.ts'

/** The clockwork of the simulated credit transfer; times of day are UTC. */
export const timetable = {
  cutOff: '15:00',
  /** From sending a batch to its acknowledgement. */
  acknowledgedAfterMs: 15 * minuteMs,
  /** On the business day after the cut-off. */
  settles: '07:00',
  /** On the business day after the settlement. */
  returns: '10:00',
} as const

/** Countries whose banks take SEPA credit transfers, each with the length of its IBAN. */
const sepa: Readonly<Record<string, number>> = Object.fromEntries(
  (
    'AD24 AL28 AT20 BE16 BG22 CH21 CY28 CZ24 DE22 DK18 EE20 ES24 FI18 FR27 GB22 GI23 GR27 HR21 ' +
    'HU28 IE22 IS26 IT27 LI21 LT20 LU20 LV21 MC27 MD24 ME22 MK19 MT31 NL18 NO15 PL28 PT25 RO24 ' +
    'SE24 SI19 SK24 SM27 VA22'
  )
    .split(' ')
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
)

/** Why a bank sends a payment back (ISO 20022, external return reasons). */
export const returnReasons = ['AC01', 'AC04', 'AC06', 'AG01', 'MD07', 'MS03', 'RR04'] as const

/**
 * Why the simulated bank of the creditor sends a payment back; null when it keeps it. It is in the
 * name: `RETURN AC04` has a closed account, everybody else takes the money.
 */
export function simulatedReturn(payment: Payment): string | null {
  return returnReasons.find((reason) => payment.creditorName === `RETURN ${reason}`) ?? null
}

/**
 * Credit transfers in euro, as SEPA has them: batches at a cut-off, settlement a business day
 * later, returns. A simulation: nothing leaves this program, and what the others do is made up.
 */
export const sct: Rail = {
  name: 'sct',
  isSimulated: true,
  reaches: (iban, currency) => currency === 'EUR' && sepa[iban.slice(0, 2)] === iban.length,
  take(payment, now) {
    const { paymentId, currency } = payment
    const cutOffAt = nextOnBusinessDay(now, timetable.cutOff)
    return {
      payment: movePayment(payment, 'accepted', { cutOffAt }),
      instructions: [
        {
          ...termsOf(paymentId, dateOf(now), now),
          type: 'outbound-authorisation',
          accountId: payment.debtorArrangementId!,
          contraId: internalAccountId('settlement-sct', currency),
          money: moneyOf(payment),
          clientTransactionId: paymentId,
          expiresAt: null,
        },
      ],
    }
  },
  leavesOn: (date) => nextBusinessDay(businessDayFrom(date)),
}

export const batchStates = ['sent', 'acknowledged', 'settled'] as const
export type BatchState = (typeof batchStates)[number]

export const batchMoves: Transitions<BatchState> = {
  sent: ['acknowledged'],
  acknowledged: ['settled'],
  settled: [],
}

/** What went out together at one cut-off. */
export interface RailBatch extends Versioned {
  batchId: string
  rail: 'sct'
  currency: string
  state: BatchState
  payments: number
  totalMinor: bigint
  cutOffAt: Date
  settlesAt: Date
  /** When something happens to it next. */
  dueAt: Date | null
}

/** A batch one step further, with its payments and what is booked. */
export interface BatchStep {
  batch: RailBatch
  payments: Payment[]
  instructions: Instruction[]
}

/** Sends accepted payments of one cut-off: what was promised for each leaves its account. */
export function send(
  payments: readonly Payment[],
  made: Versioned & { batchId: string },
  now: Date,
): BatchStep {
  const { cutOffAt, currency } = payments[0]!
  const day = dateOf(cutOffAt!)
  return {
    batch: {
      ...made,
      rail: 'sct',
      currency,
      state: 'sent',
      payments: payments.length,
      totalMinor: payments.reduce((sum, { amountMinor }) => sum + amountMinor, 0n),
      cutOffAt: cutOffAt!,
      settlesAt: at(nextBusinessDay(day), timetable.settles),
      dueAt: addMs(cutOffAt!, timetable.acknowledgedAfterMs),
    },
    payments: payments.map((payment) =>
      movePayment(payment, 'submitted', { batchId: made.batchId }),
    ),
    instructions: payments.map(({ paymentId }) => ({
      ...termsOf(paymentId, day, now),
      type: 'settlement',
      clientTransactionId: paymentId,
      money: null,
      isFinal: true,
    })),
  }
}

/** Takes a batch and its payments to their next state: acknowledged, then settled from the nostro. */
export function advanceBatch(batch: RailBatch, payments: readonly Payment[], now: Date): BatchStep {
  const to = batch.state === 'sent' ? 'acknowledged' : 'settled'
  requireMove(batchMoves, batch.state, to, batch.batchId)
  if (to === 'acknowledged') {
    return {
      batch: { ...batch, state: to, dueAt: batch.settlesAt },
      payments: payments.map((payment) => movePayment(payment, to)),
      instructions: [],
    }
  }
  const { batchId, currency, totalMinor: amountMinor, settlesAt } = batch
  const day = dateOf(settlesAt)
  const returnsAt = at(nextBusinessDay(day), timetable.returns)
  const [transit, nostro] = accountsOf(currency)
  return {
    batch: { ...batch, state: to, dueAt: null },
    payments: payments.map((payment) =>
      movePayment(payment, to, {
        settledAt: now,
        dueAt: simulatedReturn(payment) === null ? null : returnsAt,
      }),
    ),
    instructions: [
      {
        ...termsOf(batchId, day, now),
        type: 'custom',
        legs: movement('committed', transit, nostro, { amountMinor, currency }),
      },
    ],
  }
}

/** Books money that came back to the account it left, or to `suspense` when that takes none. */
export function giveBack(payment: Payment, now: Date, isTaken: boolean): Step {
  const { debtorArrangementId, currency } = payment
  const accountId = isTaken ? debtorArrangementId! : internalAccountId('suspense', currency)
  return {
    payment: movePayment(payment, 'returned', {
      reasonCode: simulatedReturn(payment),
      dueAt: null,
    }),
    instructions: arrival(payment, accountId, dateOf(payment.dueAt!), now),
  }
}

/** Money from outside: to the nostro, and through the rail to an account. */
export function arrival(
  payment: Payment,
  accountId: string,
  day: string,
  now: Date,
): Instruction[] {
  const money = moneyOf(payment)
  const terms = termsOf(payment.paymentId, day, now)
  const [transit, nostro] = accountsOf(money.currency)
  return [
    { ...terms, type: 'custom', legs: movement('committed', nostro, transit, money) },
    { ...terms, type: 'custom', legs: movement('committed', transit, accountId, money) },
  ]
}

function accountsOf(currency: string): [string, string] {
  return [internalAccountId('settlement-sct', currency), internalAccountId('nostro', currency)]
}
