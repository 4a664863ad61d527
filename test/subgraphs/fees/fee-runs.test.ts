import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  anAccount,
  aProduct,
  charge,
  eur,
  income,
  itemsOf,
  pay,
  withdraw,
  type FeeBank,
} from './fee-kit.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace', 'student')
})
afterAll(() => bank.drop())

const none = { selected: 0, charged: 0, waived: 0, skipped: 0, failed: 0 }
const outcomes = (items: { outcome: string; reason: string | null }[]) =>
  items.map(({ outcome, reason }) => reason ?? outcome)
const eventsOf = async (type: string, subject?: string) =>
  (await bank.events()).filter(
    (event) => event.type === type && (!subject || event.subject === subject),
  )

describe('fee run', () => {
  test('charges each account once and reports the outcome for each', async () => {
    const productId = await aProduct(bank, {
      ...accountFee,
      waivers: [
        { kind: 'CUSTOMER_SEGMENT', segment: 'student' },
        { kind: 'MINIMUM_BALANCE', minimumBalance: eur('1000.00') },
      ],
    })
    const paying = await anAccount(bank, productId, { holds: '100.00' })
    const student = await anAccount(bank, productId, { customerId: 'cus_grace', holds: '5.00' })
    const rich = await anAccount(bank, productId, { holds: '1000.00' })
    const poor = await anAccount(bank, productId, { holds: '4.49' })
    const foreign = await anAccount(bank, productId, { currency: 'USD', holds: '50.00' })
    const blocked = await anAccount(bank, productId, { holds: '50.00' })
    await bank.act(
      `mutation { blockAccountArrangement(arrangementId: "${blocked}", kind: DEBIT) { state } }`,
    )
    const closed = await anAccount(bank, productId)
    for (const act of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
      await bank.act(`mutation { ${act}(arrangementId: "${closed}") { state } }`)
    }
    const before = await income(bank)

    const run = await charge(bank, productId)
    expect(run).toEqual({
      feeRunId: run.feeRunId,
      runType: 'MANUAL',
      feeCode: 'account',
      productId,
      periodStart: '2026-03-01',
      periodEnd: '2026-03-31',
      runDate: '2026-03-10',
      status: 'COMPLETED',
      counts: { selected: 6, charged: 3, waived: 2, skipped: 1, failed: 0 },
      totals: [eur('13.50')],
      dryRun: false,
      triggeredBy: 'test-client',
      startedAt: '2026-03-10T09:00:00.000Z',
      completedAt: '2026-03-10T09:00:00.000Z',
      errors: [],
      failureCode: null,
      reversesRunId: null,
      reversedByRunId: null,
    })
    const items = await itemsOf(bank, run.feeRunId)
    expect(items).toMatchObject([
      {
        arrangementId: paying,
        outcome: 'CHARGED',
        amount: eur('4.50'),
        postingInstruction: { status: 'ACCEPTED' },
        arrangement: { state: 'ACTIVE' },
      },
      {
        arrangementId: student,
        outcome: 'WAIVED',
        reason: 'customer-segment',
        amount: eur('4.50'),
        postingInstruction: null,
      },
      { arrangementId: rich, outcome: 'WAIVED', reason: 'minimum-balance' },
      {
        arrangementId: poor,
        outcome: 'CHARGED',
        reason: 'INSUFFICIENT_FUNDS',
        postingInstruction: { status: 'ACCEPTED' },
        receivable: { status: 'OPEN', outstanding: eur('4.50') },
      },
      { arrangementId: foreign, outcome: 'SKIPPED', reason: 'other-currency', amount: null },
      {
        arrangementId: blocked,
        outcome: 'CHARGED',
        reason: 'ARRANGEMENT_BLOCKED',
        receivable: { status: 'OPEN', outstanding: eur('4.50') },
      },
    ])
    expect(Number(await income(bank)) - Number(before)).toBeCloseTo(13.5)

    const subject = `fee-run/${run.feeRunId}`
    const facts = (await bank.events()).filter((event) => event.subject === subject)
    expect(facts.map(({ type }) => type.split('.').at(-1))).toEqual([
      'scheduled',
      'started',
      'completed',
    ])
    expect(facts.at(-1)!.data).toMatchObject({ counts: run.counts, totals: run.totals })
    const [charged] = await eventsOf('pricing.fee.charged', `fee/${paying}`)
    expect(charged).toMatchObject({
      parties: ['pty_ada'],
      data: { feeRunId: run.feeRunId, ...eur('4.50'), postingInstructionId: expect.any(String) },
    })
    const [waived] = await eventsOf('pricing.fee.waived', `fee/${student}`)
    expect(waived).toMatchObject({
      parties: ['pty_grace'],
      data: { waivedFor: 'customer-segment' },
    })
  })

  test('charges nobody twice, not even an account that still owes the fee', async () => {
    const productId = await aProduct(bank, accountFee)
    await anAccount(bank, productId, { holds: '100.00' })
    const poor = await anAccount(bank, productId)
    const outcomesOf = async () =>
      outcomes(await itemsOf(bank, (await charge(bank, productId)).feeRunId))
    expect(await outcomesOf()).toEqual(['CHARGED', 'INSUFFICIENT_FUNDS'])
    expect(await outcomesOf()).toEqual(['already-charged', 'already-charged'])
    await pay(bank, poor, 'IN', '4.50')
    expect(await outcomesOf()).toEqual(['already-charged', 'already-charged'])
  })

  test('as a dry run charges nothing, emits no charge, and predicts the real run', async () => {
    const productId = await aProduct(bank, accountFee)
    const account = await anAccount(bank, productId, { holds: '100.00' })
    const before = await income(bank)
    const dry = await charge(bank, productId, { dryRun: true })
    expect(dry).toMatchObject({ status: 'COMPLETED', totals: [eur('4.50')], dryRun: true })
    expect(await itemsOf(bank, dry.feeRunId)).toMatchObject([
      { outcome: 'CHARGED', amount: eur('4.50'), postingInstruction: null },
    ])
    expect(await income(bank)).toBe(before)
    expect(await eventsOf('pricing.fee.charged', `fee/${account}`)).toEqual([])
    const real = await charge(bank, productId)
    expect([real.counts, real.totals]).toEqual([dry.counts, dry.totals])
  })

  test('charges each account the fee of its product version, or none', async () => {
    const productId = await aProduct(bank, accountFee)
    const old = await anAccount(bank, productId, { holds: '100.00' })
    const write = (version: string, fees: object[]) =>
      bank.act(
        'mutation ($input: CreateProductInput!) { createProduct(input: $input) { productId } }',
        {
          input: {
            productId,
            name: 'Everyday',
            productClass: 'current-account',
            status: 'active',
            version,
            currencies: ['EUR'],
            fees,
          },
        },
      )
    await write('2026.2', [{ ...accountFee, amount: eur('6.00') }])
    const newer = await anAccount(bank, productId, { holds: '100.00' })
    await write('2026.3', [])
    await anAccount(bank, productId, { holds: '100.00' })
    const run = await charge(bank, productId)
    expect(run).toMatchObject({
      counts: { ...none, selected: 2, charged: 2 },
      totals: [eur('10.50')],
    })
    expect(await itemsOf(bank, run.feeRunId)).toMatchObject([
      { arrangementId: old, amount: eur('4.50') },
      { arrangementId: newer, amount: eur('6.00') },
    ])
  })

  test('uses the balances at the end of the period, regardless of later postings', async () => {
    const share = { ...accountFee, amount: undefined, percent: '1', maximum: eur('50.00') }
    const productId = await aProduct(bank, share)
    bank.clock.set('2026-02-10T09:00:00Z')
    const account = await anAccount(bank, productId, { holds: '200.00' })
    bank.clock.set('2026-03-10T09:00:00Z')
    await pay(bank, account, 'IN', '800.00')
    const february = await charge(bank, productId, { periodStart: '2026-02-01' })
    expect(february.totals).toEqual([eur('2.00')])
    const march = await charge(bank, productId)
    expect(march.totals).toEqual([eur('9.98')])
  })

  test('counts the payments of the month for a fee per event, without fees and reversed payments', async () => {
    const productId = await aProduct(
      bank,
      { ...accountFee, frequency: 'PER_EVENT', amount: eur('0.25') },
      { ...accountFee, code: 'other' },
    )
    bank.clock.set('2026-02-27T09:00:00Z')
    const account = await anAccount(bank, productId, { holds: '100.00' })
    await pay(bank, account, 'OUT', '1.00')
    bank.clock.set('2026-03-10T09:00:00Z')
    for (const amount of ['10.00', '20.00', '30.00']) await pay(bank, account, 'OUT', amount)
    const mistaken = await pay(bank, account, 'OUT', '5.00')
    await withdraw(bank, mistaken)
    await charge(bank, productId, { feeCode: 'other' })
    const run = await charge(bank, productId)
    expect(run).toMatchObject({ status: 'COMPLETED', totals: [eur('0.75')] })
  })

  test('charges an upfront fee once, in whichever month', async () => {
    const productId = await aProduct(bank, { ...accountFee, frequency: 'UPFRONT' })
    await anAccount(bank, productId, { holds: '100.00' })
    expect((await charge(bank, productId)).counts).toEqual({ ...none, selected: 1, charged: 1 })
    bank.clock.set('2026-04-10T09:00:00Z')
    expect((await charge(bank, productId)).counts).toEqual({ ...none, selected: 1, skipped: 1 })
    bank.clock.set('2026-03-10T09:00:00Z')
  })
})
