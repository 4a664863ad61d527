import { afterAll, beforeEach, afterEach, expect, test } from 'vitest'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  charge,
  eur,
  type FeeBank,
} from './fee-kit.ts'

let bank: FeeBank
beforeEach(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
})
afterEach(() => bank.drop())
afterAll(() => undefined)

/** Goes through the days one by one, as a bank does, or at once. */
async function goTo(day: string) {
  bank.clock.set(`${day}T00:01:00Z`)
  await bank.schedule()
  await bank.work()
}

async function runs() {
  const { feeRuns } =
    await bank.act(`{ feeRuns(first: 200) { nodes { runType feeCode periodStart periodEnd
    runDate status triggeredBy counts { charged } } } }`)
  return feeRuns.nodes as any[]
}

test('fees are charged on the day after their period, by themselves and once', async () => {
  const productId = await aProduct(
    bank,
    accountFee,
    { ...accountFee, code: 'quarter', frequency: 'QUARTERLY' },
    { ...accountFee, code: 'year', frequency: 'YEARLY' },
    { ...accountFee, code: 'payment', frequency: 'PER_EVENT', amount: eur('0.10') },
    { ...accountFee, code: 'opening', frequency: 'UPFRONT' },
  )
  await anAccount(bank, productId, { holds: '500.00' })
  await goTo('2026-03-31')
  expect(await runs()).toEqual([])
  await goTo('2026-04-01')
  const first = { runDate: '2026-04-01', status: 'COMPLETED', triggeredBy: 'schedule' }
  const month = { periodStart: '2026-03-01', periodEnd: '2026-03-31', ...first }
  const periodic = { runType: 'PERIODIC', counts: { charged: 1 } }
  expect(byCode(await runs())).toEqual([
    { feeCode: 'account', ...periodic, ...month },
    { feeCode: 'payment', runType: 'EVENT', counts: { charged: 0 }, ...month },
    { feeCode: 'quarter', ...periodic, ...month, periodStart: '2026-01-01' },
  ])
  await goTo('2026-04-01')
  await goTo('2026-04-02')
  expect(await runs()).toHaveLength(3)
})

test('months that were not worked on are made up for, each once, in their order', async () => {
  const productId = await aProduct(bank, accountFee)
  await anAccount(bank, productId, { holds: '500.00' })
  await goTo('2026-07-15')
  expect((await runs()).map(({ periodStart, counts }) => [periodStart, counts.charged])).toEqual([
    ['2026-03-01', 1],
    ['2026-04-01', 1],
    ['2026-05-01', 1],
    ['2026-06-01', 1],
  ])
})

test('what was charged by hand during the period is not charged again at its end', async () => {
  const productId = await aProduct(bank, accountFee)
  await anAccount(bank, productId, { holds: '500.00' })
  await charge(bank, productId)
  await goTo('2026-04-01')
  expect((await runs()).map(({ runType, counts }) => [runType, counts.charged])).toEqual([
    ['MANUAL', 1],
    ['PERIODIC', 0],
  ])
})

test('a fee that comes with a new version is charged from then on', async () => {
  const productId = await aProduct(bank)
  await anAccount(bank, productId, { holds: '500.00' })
  bank.clock.set('2026-05-10T09:00:00Z')
  await bank.act(
    'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
    {
      input: {
        productId,
        name: 'Everyday',
        productClass: 'current-account',
        status: 'active',
        version: '2026.2',
        currencies: ['EUR'],
        fees: [accountFee],
      },
    },
  )
  await anAccount(bank, productId, { holds: '500.00' })
  await goTo('2026-06-01')
  expect((await runs()).map(({ periodStart, counts }) => [periodStart, counts.charged])).toEqual([
    ['2026-05-01', 1],
  ])
})

test('two processes that see a day begin schedule one run', async () => {
  await aProduct(bank, accountFee)
  bank.clock.set('2026-04-01T00:01:00Z')
  await Promise.all([bank.schedule(), bank.schedule(), bank.schedule()])
  expect(await runs()).toHaveLength(1)
})

const byCode = (all: { feeCode: string }[]) =>
  all.toSorted((a, b) => a.feeCode.localeCompare(b.feeCode))

test('a period is counted once what was booked at its end has been committed', async () => {
  const productId = await aProduct(bank, accountFee)
  await anAccount(bank, productId, { holds: '500.00' })
  bank.clock.set('2026-04-01T00:00:59Z')
  await bank.schedule()
  expect(await runs()).toEqual([])
  bank.clock.set('2026-04-01T00:01:00Z')
  await bank.schedule()
  expect(await runs()).toHaveLength(1)
})
