/**
 * Random sequences of drawdowns, repayments and reversals: after each step the facilities agree with
 * the ledger and with their statements, and interest that is not due agrees with the schedule.
 */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { random } from '../../kit/random.ts'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { expectAsScheduled } from './as-scheduled.ts'
import { expectAsStated } from './as-stated.ts'
import {
  runDrawdownMutation,
  aLender,
  aLimit,
  aLoan,
  draw,
  eur,
  findings,
  fund,
  morningOf,
  opened,
  payBack,
  publishLateProduct,
  quoteOf,
  withdraw,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
  await publishLateCharges(bank)
})
afterAll(() => bank.drop())

const days = (date: Date, count: number) =>
  new Date(date.getTime() + count * 86_400_000).toISOString().slice(0, 10)

/** Publishes a product with late charges that are paid first, and one with charges paid last. */
async function publishLateCharges(lender: RunningSubgraph) {
  for (const arePaidLast of [false, true]) {
    await publishLateProduct(lender, `prd_late_${arePaidLast}`, 1250, {
      defaultInterestPct: '9.75',
      defaultInterestBase: arePaidLast ? 'installment' : 'principal',
      lateChargeGraceDays: arePaidLast ? '7' : '0',
      areLateChargesPaidLast: String(arePaidLast),
    })
  }
}

/** Returns the number of an installment with unpaid late charges; null if there is none. */
async function chargedInstallment(facilityId: string): Promise<number | null> {
  const { data } = await bank.execute(
    `query ($facilityId: ID!) { facility(facilityId: $facilityId) {
      schedule { number lateFee defaultInterest lateChargesPaid } } }`,
    { facilityId },
  )
  const charged = data.facility.schedule.find(
    ({ lateFee, defaultInterest, lateChargesPaid }: any) =>
      Number(lateFee) + Number(defaultInterest) > Number(lateChargesPaid),
  )
  return charged?.number ?? null
}

const methods = ['ANNUITY', 'EQUAL_PRINCIPAL', 'INTEREST_ONLY', 'BALLOON', 'FLAT']
const dayCounts = ['THIRTY_360', 'ACT_360', 'ACT_365', 'ACT_ACT']
const done = new Map<string, number>()

test.each(Array.from({ length: 10 }, (_, at) => at + 13))(
  'random sequence %i keeps facility, ledger and schedule in agreement',
  { timeout: 60_000 },
  async (seed) => {
    const next = random(seed)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(next() * items.length)]!
    const amount = (max: number) => (Math.floor(next() * max * 100) / 100 + 0.01).toFixed(2)
    const facilityId = `fac_seed_${seed}`
    const isLimit = seed % 3 === 0
    const method = pick(methods)
    const terms = {
      facilityId,
      installments: 4 + Math.floor(next() * 10),
      dayCount: pick(dayCounts),
      frequency: pick(['MONTHLY', 'BIWEEKLY', 'QUARTERLY']),
      // A loan with late charges is not collected, so that it is late.
      ...pick([
        { productId: null, settlementArrangementId: 'arr_ada' },
        { productId: null, settlementArrangementId: null },
        { productId: `prd_late_${seed % 4 > 1}`, settlementArrangementId: null },
      ]),
      disburse: false,
    }
    const balloon = method === 'BALLOON' && !isLimit ? { balloonAmount: '500.00' } : {}
    await opened(
      bank,
      isLimit
        ? aLimit(terms)
        : aLoan({ ...terms, ...balloon, method, kind: 'SME_FACILITY', limit: eur('10000.00') }),
    )
    const destination = { arrangementId: 'arr_ada' }
    const drawn: string[] = []
    const paid: string[] = []
    const steps: Record<string, () => Promise<{ code?: string | undefined; data: any }>> = {
      async draw() {
        const answer = await draw(bank, { facilityId, amount: amount(4000), destination })
        if (!answer.code) drawn.push(answer.data.drawdown.drawdownId)
        return answer
      },
      async drawInThePast() {
        const valueDate = days(bank.bank.now(), -Math.floor(next() * 20))
        return draw(bank, { facilityId, amount: amount(1000), destination, valueDate })
      },
      undraw: () => runDrawdownMutation(bank, 'reverseDrawdown', drawn.at(-1) ?? 'drw_none'),
      async pay() {
        const answer = await payBack(bank, { facilityId, amount: amount(1500) })
        if (!answer.code) paid.push(answer.data.repayment.repaymentId)
        return answer
      },
      payLate: () =>
        payBack(bank, {
          facilityId,
          amount: amount(900),
          paymentDate: days(bank.bank.now(), -Math.floor(next() * 15)),
        }),
      bounce: () => withdraw(bank, paid.at(-1) ?? 'rpm_none'),
      async payAll() {
        const quote = await quoteOf(bank, facilityId)
        if (!quote || next() < 0.7) return { data: null, code: 'SKIPPED' }
        return payBack(bank, { facilityId, amount: quote.total.amount })
      },
      async waive() {
        const installment = (await chargedInstallment(facilityId)) ?? 1 + Math.floor(next() * 4)
        const input = { facilityId, installment, reason: 'GOODWILL' }
        return asEmployee(
          `mutation ($input: WaiveLateChargesInput!) {
            waiveLateCharges(input: $input) { facilityId lateFeesDue { amount } }
          }`,
          { input },
        )
      },
      pause: () =>
        asEmployee(
          `mutation ($facilityId: ID!, $until: Date!) {
            it: pauseLateCharges(
              input: { facilityId: $facilityId, until: $until, reason: HARDSHIP }
            ) { state }
          }`,
          { facilityId, until: days(bank.bank.now(), Math.floor(next() * 30)) },
        ),
      endPause: () =>
        asEmployee(
          'mutation ($facilityId: ID!) { it: endLateChargePause(facilityId: $facilityId) { state } }',
          { facilityId },
        ),
      async sleep() {
        await morningOf(bank, days(bank.bank.now(), 1 + Math.floor(next() * 25)))
        return { data: null }
      },
      async earn() {
        await fund(bank, 'arr_ada', BigInt(Math.floor(next() * 100_000) + 1))
        return { data: null }
      },
    }
    for (let step = 0; step < 40; step++) {
      const isCharged = terms.productId !== null
      const often = isCharged ? ['sleep', 'sleep', 'waive'] : ['sleep', 'draw', 'pay']
      const name = pick([...Object.keys(steps), ...often])
      const { code } = await steps[name]!()
      expect([undefined, ...expected], name).toContain(code)
      if (!code) done.set(name, (done.get(name) ?? 0) + 1)
      expect(await findings(bank), `${step} ${name}`).toEqual([])
      await expectAsScheduled(bank, facilityId, `${step} ${name}`, name === 'sleep')
      await expectAsStated(bank, facilityId, `${step} ${name}`, 60 + step)
    }
  },
)

async function asEmployee(document: string, variables: Record<string, unknown>) {
  const { data, errors } = await bank.execute(document, variables, { caller: employee })
  return { data, code: errors[0]?.extensions?.code as string | undefined }
}

/** Codes with which these steps may be rejected. */
const expected = [
  'SKIPPED',
  'DRAWDOWN_NOT_FOUND',
  'EXCEEDS_PAYOFF_AMOUNT',
  'FACILITY_IN_ARREARS',
  'FACILITY_NOT_ACTIVE',
  'INSTALMENT_ALREADY_PAID',
  'INSUFFICIENT_FUNDS',
  'INVALID_PAYMENT_DATE',
  'INVALID_STATE_TRANSITION',
  'LIMIT_EXCEEDED',
  'OUTSIDE_AVAILABILITY_PERIOD',
  'REPAYMENT_NOT_FOUND',
  'STATE_CONFLICT',
  'VALIDATION_FAILED',
]

test('the sequences above took every kind of drawdown and repayment step successfully', () => {
  expect([...done.keys()].toSorted((one, other) => one.localeCompare(other))).toEqual(
    expect.arrayContaining([
      'bounce',
      'draw',
      'drawInThePast',
      'endPause',
      'pause',
      'pay',
      'payAll',
      'payLate',
      'waive',
      'undraw',
    ]),
  )
})
