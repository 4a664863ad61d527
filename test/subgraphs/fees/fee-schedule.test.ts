import { beforeEach, afterEach, expect, test } from 'vitest'
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

/** Moves the clock to a day, schedules the fee runs that are due and carries them out. */
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

test('charges fees automatically and once, on the day after their period', async () => {
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

test('makes up for missed months in their order, each once', async () => {
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

test('does not charge again at the end of a period what was charged by hand during it', async () => {
  const productId = await aProduct(bank, accountFee)
  await anAccount(bank, productId, { holds: '500.00' })
  await charge(bank, productId)
  await goTo('2026-04-01')
  expect((await runs()).map(({ runType, counts }) => [runType, counts.charged])).toEqual([
    ['MANUAL', 1],
    ['PERIODIC', 0],
  ])
})

test('charges a fee that comes with a new product version from that period on', async () => {
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

test('schedules one run when several workers see a day begin', async () => {
  await aProduct(bank, accountFee)
  bank.clock.set('2026-04-01T00:01:00Z')
  await Promise.all([bank.schedule(), bank.schedule(), bank.schedule()])
  expect(await runs()).toHaveLength(1)
})

const byCode = (all: { feeCode: string }[]) =>
  all.toSorted((a, b) => a.feeCode.localeCompare(b.feeCode))

test('waits a minute after the end of a period, so that its last postings have committed', async () => {
  const productId = await aProduct(bank, accountFee)
  await anAccount(bank, productId, { holds: '500.00' })
  bank.clock.set('2026-04-01T00:00:59Z')
  await bank.schedule()
  expect(await runs()).toEqual([])
  bank.clock.set('2026-04-01T00:01:00Z')
  await bank.schedule()
  expect(await runs()).toHaveLength(1)
})
