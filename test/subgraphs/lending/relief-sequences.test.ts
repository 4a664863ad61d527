/**
 * Random sequences of payments, holidays and reliefs: after each step the facilities agree with the
 * ledger and with their statements, and what is owed agrees with the schedule.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../kit/random.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { expectAsScheduled } from './as-scheduled.ts'
import { expectAsStated } from './as-stated.ts'
import {
  ada,
  aLender,
  aLoan,
  eur,
  findings,
  fund,
  morningOf,
  opened,
  payBack,
  runOnce,
} from './facility-kit.ts'
import {
  aProduct,
  does,
  createHoliday,
  payExtra,
  createHardshipRequest,
  review,
} from './relief-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await aProduct(bank, 'prd_fees', { prepaymentFeePct: '1', holidaysPerYear: '9' })
})
afterAll(() => bank.drop())

const days = (date: Date, count: number) =>
  new Date(date.getTime() + count * 86_400_000).toISOString().slice(0, 10)
const done = new Map<string, number>()

test.each(Array.from({ length: 10 }, (_, at) => at + 41))(
  'random sequence %i keeps facility, ledger and schedule in agreement',
  { timeout: 120_000 },
  async (seed) => {
    const next = random(seed)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]!
    const upTo = (max: number) => 1 + Math.floor(next() * max)
    const amount = (max: number) => (Math.floor(next() * max * 100) / 100 + 0.01).toFixed(2)
    const facilityId = `loan_seed_${seed}`
    await opened(
      bank,
      aLoan({
        facilityId,
        limit: eur('9000.00'),
        productId: 'prd_fees',
        installments: 6 + upTo(18),
        method: pick(['ANNUITY', 'EQUAL_PRINCIPAL', 'FLAT', 'INTEREST_ONLY']),
        dayCount: pick(['THIRTY_360', 'ACT_360', 'ACT_ACT']),
        frequency: pick(['MONTHLY', 'BIWEEKLY']),
      }),
    )
    await bank.rows(
      'update lending.facility set settlement_arrangement_id = $2 where facility_id = $1',
      [facilityId, pick(['arr_ada', null])],
    )
    const [extras, holidays] = [[] as string[], [] as string[]]
    const extra = (name: string) => does(bank, name, 'extraPayment', extras.at(-1) ?? 'xpm_none')
    const holiday = (name: string) =>
      does(bank, name, 'paymentHoliday', holidays.at(-1) ?? 'hol_none')
    const today = () => bank.bank.now()
    const relief = async (type: string, terms: object) => {
      const request = await createHardshipRequest(
        bank,
        { loanId: facilityId, type, reason: 'Ill' },
        { caller: ada },
      )
      if (request.code) return request
      const { hardshipRequestId } = request.data.record
      await review(bank, { hardshipRequestId, action: 'START' })
      return review(bank, { hardshipRequestId, action: 'APPROVE', relief: terms })
    }
    const steps: Record<string, () => Promise<{ code?: string | undefined; data: any }>> = {
      async extra() {
        const strategy = pick(['REDUCE_TERM', 'REDUCE_INSTALLMENT', 'PREPAY_NEXT'])
        const sourceArrangementId = pick(['arr_ada', null])
        const paymentDate = days(today(), pick([0, 0, 0, -upTo(10), upTo(20)]))
        const request = {
          facilityId,
          amount: amount(900),
          strategy,
          sourceArrangementId,
          paymentDate,
        }
        const answer = await payExtra(bank, request)
        if (!answer.code) extras.push(answer.data.record.extraPaymentId)
        return answer
      },
      async payoff() {
        if (next() < 0.5) return { data: null, code: 'SKIPPED' }
        return payExtra(bank, { facilityId, strategy: 'PAYOFF', sourceArrangementId: 'arr_ada' })
      },
      apply: () => extra('applyExtraPayment'),
      reverse: () => extra('reverseExtraPayment'),
      pay: () => payBack(bank, { facilityId, amount: amount(900) }),
      async pause() {
        const startDate = days(today(), pick([0, upTo(60)]))
        const interestTreatment = pick(['DEFER', 'CAPITALIZE', 'WAIVE'])
        const termTreatment = pick(['EXTEND', 'KEEP_MATURITY', 'KEEP_INSTALLMENT'])
        const type = pick(['FULL', 'PRINCIPAL_ONLY'])
        const request = {
          facilityId,
          startDate,
          installments: upTo(2),
          interestTreatment,
          termTreatment,
          type,
        }
        const answer = await createHoliday(bank, request)
        if (!answer.code) holidays.push(answer.data.record.paymentHolidayId)
        return answer
      },
      resume: () => holiday('endPaymentHoliday'),
      cancel: () => holiday('cancelPaymentHoliday'),
      extend: () => relief('TERM_EXTENSION', { extraInstallments: upTo(3) }),
      reduce: () =>
        relief('TEMPORARY_REDUCTION', {
          installmentAmount: amount(80),
          installments: upTo(3),
          interestTreatment: pick(['DEFER', 'CAPITALIZE']),
        }),
      restructure: () =>
        relief('RESTRUCTURE', { ratePct: pick(['2', '4.5', '0']), isArrearsCapitalized: true }),
      async sleep() {
        await morningOf(bank, days(today(), upTo(25)))
        while ((await runOnce(bank, 'lending.start-and-end-payment-holidays')) > 0);
        while ((await runOnce(bank, 'lending.execute-extra-payments')) > 0);
        return { data: null }
      },
      async earn() {
        await fund(bank, 'arr_ada', BigInt(upTo(900_000)))
        return { data: null }
      },
    }
    for (let step = 0; step < 40; step++) {
      const name = pick([...Object.keys(steps), 'sleep', 'extra', 'pause', 'resume'])
      const { code } = await steps[name]!()
      expect([undefined, ...expected], name).toContain(code)
      if (!code) done.set(name, (done.get(name) ?? 0) + 1)
      expect(await findings(bank), `${step} ${name}`).toEqual([])
      await expectAsScheduled(bank, facilityId, `${step} ${name}`, false)
      await expectAsStated(bank, facilityId, `${step} ${name}`, 60 + step)
    }
  },
)

/** Codes with which these steps may be rejected. */
const expected = [
  'SKIPPED',
  'EXCEEDS_PAYOFF_AMOUNT',
  'EXTRA_PAYMENT_NOT_FOUND',
  'FACILITY_IN_ARREARS',
  'FACILITY_NOT_ACTIVE',
  'INSTALMENT_ALREADY_PAID',
  'INSUFFICIENT_FUNDS',
  'INVALID_PAYMENT_DATE',
  'INVALID_STATE_TRANSITION',
  'LOAN_NOT_ELIGIBLE_STATE',
  'NO_INSTALMENT_IN_PERIOD',
  'OVERLAPPING_HOLIDAY',
  'PAYMENT_HOLIDAY_NOT_FOUND',
  'STATE_CONFLICT',
]

test('the sequences above took every kind of relief step successfully', () => {
  expect([...done.keys()].toSorted((one, other) => one.localeCompare(other))).toEqual(
    expect.arrayContaining([
      'apply',
      'cancel',
      'extend',
      'extra',
      'resume',
      'pause',
      'payoff',
      'reduce',
      'restructure',
      'reverse',
    ]),
  )
})
