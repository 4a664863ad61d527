import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '../../../kernel/domain/dates.ts'
import { ada, bank, content, create, loan, newId, openBank } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const rateFields = `referenceRateId name validDays latestFixing { fixedOn ratePct }
  fixings { nodes { fixedOn ratePct correctionReason } }`
const add = (input: object, options: object = {}) =>
  bank.execute(
    `mutation ($input: CreateReferenceRateInput!) {
      it: createReferenceRate(input: $input) { ${rateFields} } }`,
    { input },
    options,
  )
const record = (input: object, options: object = {}) =>
  bank.execute(
    `mutation ($input: RecordReferenceRateFixingsInput!) {
      it: recordReferenceRateFixings(input: $input) { ${rateFields} } }`,
    { input },
    options,
  )
async function aRate(fixings: Record<string, string> = {}, more: object = {}): Promise<string> {
  const referenceRateId = newId('RATE')
  const { errors } = await add({ referenceRateId, name: 'A rate', ...more })
  expect(errors).toEqual([])
  if (Object.keys(fixings).length > 0) {
    expect((await record({ referenceRateId, fixings: listed(fixings) })).errors).toEqual([])
  }
  return referenceRateId
}
const listed = (fixings: Record<string, string>) =>
  Object.entries(fixings).map(([fixedOn, ratePct]) => ({ fixedOn, ratePct }))
const publishedOf = async (referenceRateId: string) => {
  const sql = 'select data from kernel.fact where subject = $1'
  const [row] = await bank.rows(sql, [`reference-rate/${referenceRateId}`])
  return (row?.['data'] ?? null) as any
}
const codeOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.code
const faultsOf = ({ errors }: { errors: any[] }) =>
  errors[0]?.extensions?.errors?.map(({ pointer }: any) => pointer)

describe('a reference rate', () => {
  test('has fixings, newest first, of which the latest is not in the future', async () => {
    const referenceRateId = await aRate({ '2026-02-27': '2.10', '2026-03-02': '-0.5' })
    const { data } = await record({
      referenceRateId,
      fixings: listed({ '2026-03-20': '2.25', '2026-01-30': '2' }),
    })
    expect(data.it).toMatchObject({
      latestFixing: { fixedOn: '2026-03-02', ratePct: '-0.5' },
      fixings: {
        nodes: [
          { fixedOn: '2026-03-20', ratePct: '2.25', correctionReason: null },
          { fixedOn: '2026-03-02', ratePct: '-0.5' },
          { fixedOn: '2026-02-27', ratePct: '2.1' },
          { fixedOn: '2026-01-30', ratePct: '2' },
        ],
      },
    })
    const page = await bank.execute(
      `query ($id: ID!) { referenceRate(referenceRateId: $id) {
        fixings(until: "2026-03-02", first: 1) { nodes { fixedOn } pageInfo { hasNextPage endCursor } } } }`,
      { id: referenceRateId },
      { caller: ada },
    )
    const { nodes, pageInfo } = page.data.referenceRate.fixings
    expect([nodes, pageInfo.hasNextPage]).toEqual([[{ fixedOn: '2026-03-02' }], true])
    const next = await bank.execute(
      `query ($id: ID!, $after: String) { referenceRate(referenceRateId: $id) {
        fixings(until: "2026-03-02", after: $after) { nodes { fixedOn } } } }`,
      { id: referenceRateId, after: pageInfo.endCursor },
      { caller: ada },
    )
    expect(next.errors).toEqual([])
    expect(next.data.referenceRate.fixings.nodes).toEqual([
      { fixedOn: '2026-02-27' },
      { fixedOn: '2026-01-30' },
    ])
  })

  test('is not changed by a file that is sent again', async () => {
    const fixings = { '2026-02-26': '2.5', '2026-02-27': '2.6' }
    const referenceRateId = await aRate(fixings)
    const before = await publishedOf(referenceRateId)
    const again = listed({ '2026-02-26': '2.50', '2026-02-27': '2.6' })
    expect((await record({ referenceRateId, fixings: again })).errors).toEqual([])
    expect(await publishedOf(referenceRateId)).toEqual(before)
    const subject = `reference-rate/${referenceRateId}`
    const types = (await bank.events()).filter((event) => event.subject === subject)
    expect(types.map(({ type }) => type)).toEqual([
      'products.reference-rate.created',
      'products.reference-rate.fixings-recorded',
    ])
  })

  test('is corrected only with a reason, all fixings of a request or none', async () => {
    const referenceRateId = await aRate({ '2026-02-26': '2.5' })
    const fixings = listed({ '2026-02-25': '2', '2026-02-26': '2.4' })
    const rejected = await record({ referenceRateId, fixings })
    expect(codeOf(rejected)).toBe('REFERENCE_RATE_FIXING_EXISTS')
    expect(faultsOf(rejected)).toEqual(['/fixings/1/ratePct'])
    expect((await publishedOf(referenceRateId)).fixings).toHaveLength(1)
    const correctionReason = 'Typed with two digits reversed.'
    const corrected = await record({ referenceRateId, fixings, correctionReason })
    expect(corrected.data.it.fixings.nodes).toEqual([
      { fixedOn: '2026-02-26', ratePct: '2.4', correctionReason },
      { fixedOn: '2026-02-25', ratePct: '2', correctionReason: null },
    ])
    const event = (await bank.events()).findLast(
      ({ subject }) => subject === `reference-rate/${referenceRateId}`,
    )!
    expect(event.data).toEqual({
      referenceRateId,
      correctionReason,
      fixings: [
        { fixedOn: '2026-02-25', ratePct: '2', replacedRatePct: null },
        { fixedOn: '2026-02-26', ratePct: '2.4', replacedRatePct: '2.5' },
      ],
    })
  })

  test('publishes what was known on each day', async () => {
    const referenceRateId = await aRate({ '2026-02-26': '2.5' }, { validDays: 5 })
    const fixings = listed({ '2026-02-26': '2.4' })
    const startedAt = bank.bank.now()
    bank.clock.set('2026-03-05T09:00:00Z')
    await record({ referenceRateId, fixings, correctionReason: 'A revision of the publisher.' })
    bank.clock.set(startedAt.toISOString())
    expect(await publishedOf(referenceRateId)).toEqual({
      validDays: 5,
      fixings: [
        { fixedOn: '2026-02-26', ratePct: '2.5', recordedOn: '2026-03-02' },
        { fixedOn: '2026-02-26', ratePct: '2.4', recordedOn: '2026-03-05' },
      ],
    })
  })

  test('is corrected as often as it is recorded: as many fixings as a request may have', async () => {
    const days = Array.from({ length: 1000 }, (_, index) => addDays('2023-01-01', index))
    const all = (ratePct: string) => days.map((fixedOn) => ({ fixedOn, ratePct }))
    const referenceRateId = await aRate()
    expect((await record({ referenceRateId, fixings: all('1') })).errors).toEqual([])
    const correctionReason = 'A wrong column of the file.'
    const corrected = await record({ referenceRateId, fixings: all('2'), correctionReason })
    expect(corrected.errors).toEqual([])
    const sql = `select rate_pct, count(*)::int as count from products.reference_rate_fixing
      where reference_rate_id = $1 group by 1`
    expect(await bank.rows(sql, [referenceRateId])).toEqual([{ rate_pct: '2', count: 1000 }])
    const tooMany = [...all('3'), { fixedOn: '2022-01-01', ratePct: '3' }]
    const rejected = await record({ referenceRateId, fixings: tooMany, correctionReason })
    expect(faultsOf(rejected)).toEqual(['/fixings'])
  })

  test('loses no fixing when several clients record at once', async () => {
    const referenceRateId = await aRate()
    const days = Array.from({ length: 4 }, (_, index) => `2026-01-${String(index + 10)}`)
    const answers = await Promise.all(
      days.map((day) => record({ referenceRateId, fixings: listed({ [day]: '1.5' }) })),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    const { fixings } = await publishedOf(referenceRateId)
    expect(fixings.map(({ fixedOn }: any) => fixedOn)).toEqual(days)
  })

  test.each([
    ['no fixing', { fixings: [] }, ['/fixings']],
    [
      'a day twice',
      {
        fixings: [
          { fixedOn: '2026-02-01', ratePct: '1' },
          { fixedOn: '2026-02-01', ratePct: '1' },
        ],
      },
      ['/fixings/1/fixedOn'],
    ],
    ['a day too far ahead', { fixings: listed({ '2027-03-04': '1' }) }, ['/fixings/0/fixedOn']],
    [
      'a rate out of range',
      { fixings: listed({ '2026-03-01': '100.01' }) },
      ['/fixings/0/ratePct'],
    ],
    ['7 decimals', { fixings: listed({ '2026-03-01': '1.0000001' }) }, ['/fixings/0/ratePct']],
  ])('is rejected with %s', async (_, input, pointers) => {
    const referenceRateId = await aRate()
    const rejected = await record({ referenceRateId, ...input })
    expect([codeOf(rejected), faultsOf(rejected)]).toEqual(['VALIDATION_FAILED', pointers])
  })

  test('cannot be changed by customers, and must exist', async () => {
    const referenceRateId = await aRate()
    const fixings = listed({ '2026-02-01': '1' })
    expect(codeOf(await record({ referenceRateId, fixings }, { caller: ada }))).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const name = 'Mine'
    expect(codeOf(await add({ referenceRateId: 'MINE', name }, { caller: ada }))).toBe(
      'NOT_FOR_DELEGATED_USERS',
    )
    const unknown = await record({ referenceRateId: 'NOBODY', fixings })
    expect(codeOf(unknown)).toBe('REFERENCE_RATE_NOT_FOUND')
    expect(codeOf(await add({ referenceRateId, name: 'Another' }))).toBe('RESOURCE_EXISTS')
    expect(faultsOf(await add({ referenceRateId: 'ZERO', name, validDays: 0 }))).toEqual([
      '/validDays',
    ])
  })
})

describe('a product that follows a reference rate', () => {
  const sell = (more: object) => bank.execute(create, { input: content(newId('prd'), more) })
  const floating = (referenceRate: string, reset: object = {}, more: object = {}) => ({
    ...loan,
    interest: { ...loan.interest, referenceRate, reset: { frequency: 'QUARTERLY', ...reset } },
    ...more,
  })

  test('publishes how, with the defaults', async () => {
    const referenceRateId = await aRate()
    const productId = newId('prd')
    const input = content(productId, floating(referenceRateId))
    expect((await bank.execute(create, { input })).errors).toEqual([])
    const { data } = await bank.execute(
      `query ($id: ID!) { product(productId: $id) { interest { reset {
        frequency lookbackDays minimumRatePct maximumRatePct } } } }`,
      { id: productId },
    )
    expect(data.product.interest.reset).toEqual({
      frequency: 'QUARTERLY',
      lookbackDays: 2,
      minimumRatePct: '0',
      maximumRatePct: null,
    })
    const sql = 'select data from kernel.fact where subject = $1'
    const [row] = await bank.rows(sql, [`product/${productId}`])
    expect((row!['data'] as any).versions[0].interest.reset.frequency).toBe('quarterly')
  })

  test.each([
    [{ lookbackDays: 32 }, {}, ['/interest/reset/lookbackDays']],
    [{ lookbackDays: -1 }, {}, ['/interest/reset/lookbackDays']],
    [{ minimumRatePct: '-0.1' }, {}, ['/interest/reset/minimumRatePct']],
    [{ minimumRatePct: '3', maximumRatePct: '2.9' }, {}, ['/interest/reset/maximumRatePct']],
    [{}, { productClass: 'savings-account' }, ['/interest/reset']],
  ])('is rejected with the terms %o of %o', async (reset, more, pointers) => {
    const rejected = await sell(floating(await aRate(), reset, more))
    expect([codeOf(rejected), faultsOf(rejected)]).toEqual(['VALIDATION_FAILED', pointers])
  })

  test('needs a reference rate that exists', async () => {
    const rejected = await sell(floating('NOBODY'))
    expect(codeOf(rejected)).toBe('REFERENCE_RATE_NOT_FOUND')
    expect(faultsOf(rejected)).toEqual(['/interest/referenceRate'])
    const { interest, ...rest } = loan
    const reset = { frequency: 'MONTHLY' }
    const unnamed = await sell({ ...rest, interest: { basePct: interest.basePct, reset } })
    expect(faultsOf(unnamed)).toEqual(['/interest/referenceRate'])
  })

  const deposit = (referenceRateId: string, bounds: object = {}) => ({
    productClass: 'savings-account',
    depositInterest: {
      tiers: [{ annualRatePct: '-0.25' }],
      floatingRate: { referenceRateId, ...bounds },
      capitalization: 'MONTHLY',
    },
  })

  test('pays deposit interest only with a reference rate that has a fixing', async () => {
    expect(codeOf(await sell(deposit('NOBODY')))).toBe('REFERENCE_RATE_NOT_FOUND')
    expect(codeOf(await sell(deposit(await aRate())))).toBe('REFERENCE_RATE_NOT_FIXED')
    const future = await aRate({ '2026-03-20': '2.5' })
    expect(codeOf(await sell(deposit(future)))).toBe('REFERENCE_RATE_NOT_FIXED')
    const referenceRateId = await aRate({ '2026-02-26': '2.5' })
    expect((await sell(deposit(referenceRateId))).errors).toEqual([])
    const bounds = { minimumRatePct: '2', maximumRatePct: '1' }
    expect(faultsOf(await sell(deposit(referenceRateId, bounds)))).toEqual([
      '/depositInterest/floatingRate/maximumRatePct',
    ])
  })
})
