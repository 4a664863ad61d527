import 'reflect-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLoan,
  draw,
  eventsOf,
  findings,
  grace,
  morningOf,
  opened,
  payBack,
  publish,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender('2026-04-03T09:00:00Z')
  await publishProduct(bank)
})
afterAll(() => bank.drop())

/** Publishes a product with buckets and one whose parameter is invalid. */
async function publishProduct(lender: RunningSubgraph) {
  for (const [productId, text] of [
    ['prd_buckets', '1,30,60,90'],
    ['prd_invalid', '30,1'],
  ]) {
    const parameters = [
      { name: 'delinquencyBuckets', default: text },
      { name: 'lossApprovalLimit', default: '100000' },
    ]
    const versions = [{ version: '1', status: 'active', parameters }]
    await publish(lender, `product/${productId}`, { versions })
  }
}

/** Opens a loan from which nothing is collected: its first installment is due a month later. */
async function aLateLoan(lender: RunningSubgraph, facilityId: string, productId: string | null) {
  const input = { facilityId, productId, settlementArrangementId: null, disburse: false }
  await opened(lender, aLoan(input))
  const destination = { arrangementId: 'arr_ada' }
  const { errors } = await draw(lender, { facilityId, amount: '12000.00', destination })
  expect(errors).toEqual([])
}

const bucketOf = async (facilityId: string) => {
  const { data } = await bank.execute(
    `query ($id: ID!) { facility(facilityId: $id) { delinquencyBucket { label fromDays toDays } }
      loan(loanId: $id) { delinquencyBucket { label fromDays toDays } } }`,
    { id: facilityId },
  )
  expect(data.loan.delinquencyBucket).toEqual(data.facility.delinquencyBucket)
  return data.facility.delinquencyBucket
}

const facilitiesIn = async (label: string, options: object = {}) => {
  const { data, errors } = await bank.execute(
    `query ($label: String!) { facilities(delinquencyBucket: $label) { nodes { facilityId } } }`,
    { label },
    options,
  )
  expect(errors).toEqual([])
  return data.facilities.nodes.map(({ facilityId }: any) => facilityId)
}

const bucketEvents = async (lender: RunningSubgraph, facilityId: string) =>
  (await eventsOf(lender, `facility/${facilityId}`)).filter(
    (each) => each === 'delinquency-bucket-changed',
  ).length

describe('delinquency buckets of a facility', () => {
  test('follow the days past due, with an event for each change', async () => {
    await aLateLoan(bank, 'loan_late', 'prd_buckets')
    await aLateLoan(bank, 'loan_without', null)
    await aLateLoan(bank, 'loan_invalid', 'prd_invalid')
    const buckets: [string, string | null, number][] = [
      ['2026-05-03', null, 0],
      ['2026-05-04', '1-29', 1],
      ['2026-06-01', '1-29', 1],
      ['2026-06-02', '30-59', 2],
      ['2026-07-01', '30-59', 2],
      ['2026-07-02', '60-89', 3],
      ['2026-07-31', '60-89', 3],
      ['2026-08-01', '90+', 4],
    ]
    for (const [date, label, events] of buckets) {
      await morningOf(bank, date)
      expect((await bucketOf('loan_late'))?.label ?? null, date).toBe(label)
      expect(await bucketEvents(bank, 'loan_late'), date).toBe(events)
    }
    expect(await bucketOf('loan_late')).toEqual({ label: '90+', fromDays: 90, toDays: null })
    expect((await bank.fact('facility/loan_late'))!['delinquencyBucket']).toBe('90+')
  })

  test('are none for a product that has none or whose parameter is invalid', async () => {
    for (const id of ['loan_without', 'loan_invalid']) {
      expect(await bucketOf(id)).toBeNull()
      expect(await bucketEvents(bank, id)).toBe(0)
    }
  })

  test('select facilities, of which a customer sees only its own', async () => {
    expect(await facilitiesIn('90+')).toEqual(['loan_late'])
    expect(await facilitiesIn('60-89')).toEqual([])
    expect(await facilitiesIn('90+', { caller: ada })).toEqual(['loan_late'])
    expect(await facilitiesIn('90+', { caller: grace })).toEqual([])
  })

  test('improve with a payment, and end when nothing is past due', async () => {
    // The installments of May, June and July were due on the third of each month.
    await payBack(bank, { facilityId: 'loan_late', amount: '1032.80' })
    expect((await bucketOf('loan_late')).label).toBe('30-59')
    await payBack(bank, { facilityId: 'loan_late', amount: '2065.60' })
    expect(await bucketOf('loan_late')).toBeNull()
    expect(await bucketEvents(bank, 'loan_late')).toBe(6)
    expect(await facilitiesIn('90+')).toEqual([])
  })

  test('are left with a charge-off', async () => {
    await morningOf(bank, '2026-09-10')
    expect((await bucketOf('loan_late')).label).toBe('30-59')
    const { data } = await bank.execute(
      'mutation { chargeOffFacility(facilityId: "loan_late") { state delinquencyBucket { label } } }',
      {},
      { caller: employee },
    )
    expect(data.chargeOffFacility).toEqual({ state: 'CHARGED_OFF', delinquencyBucket: null })
    expect(await facilitiesIn('30-59')).toEqual([])
    expect(await findings(bank)).toEqual([])
  })
})

test('one end of day for many days changes the bucket as often as nightly ones', async () => {
  const nights = await aLender('2026-04-03T09:00:00Z')
  const once = await aLender('2026-04-03T09:00:00Z')
  for (const lender of [nights, once]) {
    await publishProduct(lender)
    await aLateLoan(lender, 'loan_late', 'prd_buckets')
  }
  for (let at = Date.parse('2026-04-04'); at <= Date.parse('2026-08-05'); at += 86_400_000) {
    await morningOf(nights, new Date(at).toISOString().slice(0, 10))
  }
  await morningOf(once, '2026-08-05')
  expect(await bucketEvents(nights, 'loan_late')).toBe(4)
  expect(await eventsOf(once, 'facility/loan_late')).toEqual(
    await eventsOf(nights, 'facility/loan_late'),
  )
  for (const lender of [nights, once]) await lender.drop()
}, 120_000)
