import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accountFee,
  aCustomer,
  aFeeBank,
  aProduct,
  startRun,
  charge,
  type FeeBank,
} from './fee-kit.ts'
import { aCaller, employee } from '../../kit/subgraph.ts'

let bank: FeeBank
beforeAll(async () => {
  bank = await aFeeBank()
  await aCustomer(bank, 'ada')
  await aCustomer(bank, 'grace', 'student')
})
afterAll(() => bank.drop())

describe('fee run input and permissions', () => {
  const ada = aCaller({ partyId: 'pty_ada' })

  test.each<[string, object, string, string, number | undefined]>([
    ['an unknown product', { productId: 'prd_none' }, 'PRODUCT_NOT_FOUND', '/input/productId', 422],
    ['an unknown fee', { feeCode: 'other' }, 'FEE_NOT_FOUND', '/input/feeCode', 422],
    [
      'a start within a period',
      { periodStart: '2026-02-02' },
      'FEE_PERIOD_INVALID',
      '/input/periodStart',
      undefined,
    ],
    [
      'a future period',
      { periodStart: '2026-04-01' },
      'FEE_PERIOD_INVALID',
      '/input/periodStart',
      undefined,
    ],
  ])('rejects %s', async (_what, more, code, pointer, status) => {
    const productId = await aProduct(bank, accountFee)
    const refused = startRun(bank, productId, more)
    await expect(refused).rejects.toMatchObject({ code, members: { errors: [{ pointer }] } })
    if (status) await expect(refused).rejects.toMatchObject({ members: { status } })
  })

  test('rejects a fee for late installments, which lending charges', async () => {
    const productId = await aProduct(bank, { ...accountFee, frequency: 'PER_LATE_INSTALLMENT' })
    await expect(startRun(bank, productId)).rejects.toMatchObject({ code: 'FEE_NOT_FOUND' })
  })

  test('a delegated user can neither start nor see fee runs', async () => {
    const productId = await aProduct(bank, accountFee)
    const { feeRunId } = await startRun(bank, productId)
    const refused = startRun(bank, productId, {}, ada)
    await expect(refused).rejects.toMatchObject({ code: 'NOT_FOR_DELEGATED_USERS' })
    const list = await bank.act('{ feeRuns { nodes { feeRunId } } }', {}, ada)
    expect(list.feeRuns.nodes).toEqual([])
    const one = await bank.act(`{ feeRun(feeRunId: "${feeRunId}") { status } }`, {}, ada)
    expect(one.feeRun).toBeNull()
    await bank.work()
  })

  test.each([
    'startFeeRun(input: { feeCode: "x", productId: "x" })',
    'reverseFeeRun(feeRunId: "x")',
    'resumeFeeRun(feeRunId: "x")',
  ])('%s requires the scope fees:run', async (field) => {
    const reader = aCaller({ scopes: ['fees:read'] })
    const refused = bank.act(`mutation { ${field} { feeRunId } }`, {}, reader)
    await expect(refused).rejects.toMatchObject({
      code: 'INSUFFICIENT_SCOPE',
      members: { scope: 'fees:run' },
    })
  })

  test.each(['reverseFeeRun', 'resumeFeeRun'])('%s rejects an unknown run', async (name) => {
    const document = `mutation { ${name}(feeRunId: "fee_none") { feeRunId } }`
    const refused = bank.act(document, {}, employee)
    await expect(refused).rejects.toMatchObject({ code: 'FEE_RUN_NOT_FOUND' })
  })

  test('replays the run of a repeated idempotency key', async () => {
    const productId = await aProduct(bank, accountFee)
    const start = () =>
      bank.execute(
        `mutation ($input: StartFeeRunInput!) { startFeeRun(input: $input) { feeRunId status } }`,
        { input: { feeCode: 'account', productId } },
        { idempotencyKey: 'run-1' },
      )
    const [first, again] = [await start(), await start()]
    expect(first.errors).toEqual([])
    expect(again.data).toEqual(first.data)
    expect(again.isReplayed).toBe(true)
    await bank.work()
  })

  test('filters match exactly, except that the status ignores case', async () => {
    const productId = await aProduct(bank, accountFee)
    const { feeRunId } = await charge(bank, productId)
    const find = async (filter: string) => {
      const { feeRuns } = await bank.act(
        `{ feeRuns(productId: "${productId}", ${filter}) { nodes { feeRunId } } }`,
      )
      return feeRuns.nodes.map((run: { feeRunId: string }) => run.feeRunId)
    }
    for (const filter of [
      'status: "Completed"',
      'feeCode: "account"',
      'from: "2026-03-10"',
      'to: "2026-03-10"',
    ]) {
      expect(await find(filter), filter).toEqual([feeRunId])
    }
    for (const filter of [
      'status: "running"',
      'feeCode: "Account"',
      'from: "2026-03-11"',
      'to: "2026-03-09"',
    ]) {
      expect(await find(filter), filter).toEqual([])
    }
    await expect(find('status: "none"')).rejects.toMatchObject({ code: 'VALIDATION_FAILED' })
  })
})
