import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCollateral,
  ada,
  aFacility,
  allocating,
  bank,
  does,
  tryMutation,
  euro,
  fields,
  grace,
  openBank,
  out,
  publishFacility,
  read,
  runs,
  start,
  eventsOf,
  valuing,
  watchCoverage,
  watchLapses,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const factOf = async (facilityId: string) =>
  (await bank.fact(`collateral-coverage/${facilityId}`))?.['allocatedMinor']
const marginCalls = (facilityId: string) => eventsOf(`collateral-coverage/${facilityId}`)
const deallocating = (id: string, facilityId: string) =>
  tryMutation(
    `deallocateCollateral(collateralId: $id, facilityId: "${facilityId}") { ${fields} }`,
    {
      id,
    },
  )
const call = 'collateral.collateral.margin-call'
const met = 'collateral.collateral.margin-call-met'

describe('Allocating collateral to a facility', () => {
  test('adds to its published coverage, visible to the borrower', async () => {
    const facility = await aFacility({ outstandingMinor: '5000' })
    const [house, car] = [await aCollateral('100'), await aCollateral('60')]
    await allocating(house, facility, `amount: ${euro('30')}`)
    await allocating(car, facility, 'pct: "50"')
    expect(await bank.fact(`collateral-coverage/${facility}`)).toEqual({
      facilityId: facility,
      currency: 'EUR',
      allocatedMinor: '6000',
    })
    await allocating(house, facility, `amount: ${euro('40')}`)
    expect(await factOf(facility)).toBe('7000')
    const query = `query ($id: ID!) { _entities(representations: [{ __typename: "Facility", facilityId: $id }]) {
      ... on Facility { collaterals { nodes { collateralId } }
        coverage { allocated { amount } required { amount } shortfall { amount } } } } }`
    const request = async (options = {}) =>
      (await bank.execute(query, { id: facility }, options)).data._entities[0]
    expect(await request()).toEqual({
      collaterals: { nodes: [{ collateralId: house }, { collateralId: car }] },
      coverage: {
        allocated: { amount: '70.00' },
        required: { amount: '50.00' },
        shortfall: { amount: '0.00' },
      },
    })
    expect((await request({ caller: ada })).coverage).not.toBeNull()
    expect(await request({ caller: grace })).toEqual({ collaterals: { nodes: [] }, coverage: null })
  })

  test('allocates the full lendable value by default and rejects over-allocation', async () => {
    const [one, two] = [await aFacility(), await aFacility()]
    const id = await aCollateral('100')
    await allocating(id, one)
    expect(await factOf(one)).toBe('10000')
    expect((await allocating(id, two, 'pct: "0.01"')).code).toBe('OVER_ALLOCATED')
    expect((await allocating(id, one, 'pct: "25"')).errors).toEqual([])
    expect((await allocating(id, two)).code).toBe('OVER_ALLOCATED')
    expect((await allocating(id, two, 'pct: "75"')).errors).toEqual([])
    expect([await factOf(one), await factOf(two)]).toEqual(['2500', '7500'])
  })

  test('requires a known facility, a valuation and a single currency', async () => {
    const id = await aCollateral('100')
    expect((await allocating(id, 'fac_none')).errors[0]!.extensions).toMatchObject({
      code: 'FACILITY_NOT_FOUND',
      status: 422,
    })
    const dollars = await aFacility({ currency: 'USD' })
    expect((await allocating(id, dollars)).code).toBe('CURRENCY_MISMATCH')
    const { data } = await tryMutation(
      `createCollateral(input: { collateralType: "other", status: "active" }) { collateralId }`,
    )
    const bare = await allocating(data.act.collateralId, 'fac_ada')
    expect(bare.code).toBe('VALUATION_REQUIRED')
  })

  test('counts from perfection until release, except while impaired', async () => {
    const facility = await aFacility()
    const id = await aCollateral('100', 'status: "valued"')
    await allocating(id, facility)
    expect(await factOf(facility)).toBeUndefined()
    const steps = [
      ['perfect', '10000'],
      ['impairCollateral', '0'],
      ['restoreCollateral', '10000'],
      ['requestCollateralRelease', '10000'],
      ['releaseCollateral', '0'],
    ] as const
    for (const [name, covered] of steps) {
      expect((await does(name, id)).errors).toEqual([])
      expect(await factOf(facility), name).toBe(covered)
    }
  })

  test('reduces the allocation that ranks last first when the value falls', async () => {
    const [first, second] = [await aFacility(), await aFacility()]
    const id = await aCollateral('100')
    await allocating(id, second, `amount: ${euro('40')}, rank: 2`)
    await allocating(id, first, `amount: ${euro('60')}, rank: 1`)
    const { data } = await valuing(id, '70')
    expect(data.act.links).toMatchObject([
      { facilityId: first, allocated: out('60.00') },
      { facilityId: second, allocated: out('10.00') },
    ])
    expect([await factOf(first), await factOf(second)]).toEqual(['6000', '1000'])
  })

  test('loses no update when many allocations to one facility are concurrent', async () => {
    const facility = await aFacility()
    const ids = await Promise.all(Array.from({ length: 12 }, () => aCollateral('10')))
    const other = bank.another()
    const answers = await Promise.all(
      ids.map(async (id, at) => {
        const testBank = at % 2 ? other : bank
        for (;;) {
          const answer = await allocating(id, facility, '', testBank)
          if (answer.code !== 'VERSION_CONFLICT') return answer
        }
      }),
    )
    expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    expect(await factOf(facility)).toBe('12000')
    const changes = await Promise.all([
      ...ids.slice(0, 4).map((id) => does('impairCollateral', id)),
      ...ids.slice(4, 8).map((id) => valuing(id, '5')),
      ...ids.slice(8).map((id) => deallocating(id, facility)),
    ])
    expect(changes.flatMap(({ errors }) => errors)).toEqual([])
    expect(await factOf(facility)).toBe('2000')
  })
})

describe('Margin calls', () => {
  test('emits a margin call once when coverage falls below the requirement, and once when it is met', async () => {
    const facility = await aFacility({ outstandingMinor: '10001', requiredCoveragePct: '120.5' })
    const id = await aCollateral('200')
    await allocating(id, facility)
    await valuing(id, '121')
    expect(await marginCalls(facility)).toEqual([])
    await valuing(id, '120.50')
    await valuing(id, '100')
    const calls = (await bank.events()).filter(
      ({ subject }) => subject === `collateral-coverage/${facility}`,
    )
    expect(calls.map(({ data }) => data)).toEqual([
      {
        facilityId: facility,
        currency: 'EUR',
        allocatedMinor: '12050',
        // 100.01 × 120.5 %, rounded up.
        requiredMinor: '12052',
        collateralIds: [id],
        isShort: true,
      },
    ])
    expect(calls[0]!.parties).toEqual(['pty_ada'])
    await valuing(id, '130')
    expect(await marginCalls(facility)).toEqual([call, met])
  })

  test('emits a margin call from the worker when the drawn amount grows', async () => {
    const facility = await aFacility({ outstandingMinor: '10000' })
    const id = await aCollateral('100')
    await allocating(id, facility)
    expect(await runs(watchCoverage)).toBe(0)
    await publishFacility(facility, { outstandingMinor: '10001' })
    expect(await runs(watchCoverage)).toBe(1)
    expect(await runs(watchCoverage)).toBe(0)
    await publishFacility(facility, { outstandingMinor: '0', requiredCoveragePct: null })
    expect(await runs(watchCoverage)).toBe(1)
    expect(await marginCalls(facility)).toEqual([call, met])
  })

  test('rejects a deallocation or release that would cause a margin call', async () => {
    const facility = await aFacility({ outstandingMinor: '5000' })
    const [one, two] = [await aCollateral('50'), await aCollateral('30')]
    await allocating(one, facility)
    await allocating(two, facility)
    const refused = await deallocating(one, facility)
    expect(refused.errors[0]!.extensions).toMatchObject({
      code: 'INSUFFICIENT_COLLATERAL',
      facilityId: facility,
    })
    expect((await allocating(one, facility, `amount: ${euro('19.99')}`)).code).toBe(
      'INSUFFICIENT_COLLATERAL',
    )
    expect((await allocating(one, facility, `amount: ${euro('20')}`)).errors).toEqual([])
    await does('requestCollateralRelease', two)
    expect((await does('releaseCollateral', two)).code).toBe('INSUFFICIENT_COLLATERAL')
    await publishFacility(facility, { outstandingMinor: '2000' })
    expect((await does('releaseCollateral', two)).data.act).toMatchObject({
      status: 'RELEASED',
      links: [],
    })
    expect(await factOf(facility)).toBe('2000')
    expect(await marginCalls(facility)).toEqual([])
  })
})

test('emits each lapse once, and again after a renewal has lapsed', async () => {
  const id = await aCollateral('100')
  const perfect = (expiresOn: string) =>
    tryMutation(
      `perfectCollateral(input: { collateralId: $id, registry: "Register", expiresOn: "${expiresOn}" }) { ${fields} }`,
      { id },
    )
  const insure = (expiresOn: string) =>
    tryMutation(
      `insureCollateral(input: { collateralId: $id, insurer: "Mutual", expiresOn: "${expiresOn}" }) { ${fields} }`,
      { id },
    )
  expect((await perfect('2026-03-01')).code).toBe('INVALID_DATE_RANGE')
  expect((await insure('2026-03-01')).code).toBe('INVALID_DATE_RANGE')
  await perfect('2026-03-10')
  await insure('2026-03-04')
  await valuing(id, '100', ', nextRevaluationDue: "2026-03-10"')
  const publishesBy = async (instant: string) => {
    bank.clock.set(instant)
    const before = (await eventsOf(`collateral/${id}`)).length
    await runs(watchLapses)
    expect(await runs(watchLapses)).toBe(0)
    return (await eventsOf(`collateral/${id}`)).slice(before).map((type) => type.split('.')[2])
  }
  expect(await publishesBy('2026-03-04T23:59:59Z')).toEqual([])
  expect(await publishesBy('2026-03-05T00:00:00Z')).toEqual(['insurance-lapsed'])
  await insure('2026-03-05')
  expect((await read(id)).data.collateral.lapsed).toEqual([])
  expect(await publishesBy('2026-03-06T09:00:00Z')).toEqual(['insurance-lapsed'])
  expect(await publishesBy('2026-03-11T09:00:00Z')).toEqual([
    'perfection-lapsed',
    'revaluation-due',
  ])
  expect((await read(id)).data.collateral).toMatchObject({
    status: 'ACTIVE',
    lapsed: ['INSURANCE', 'PERFECTION', 'REVALUATION'],
  })
  expect((await perfect('9999-12-31')).errors).toEqual([])
  expect((await insure('9999-12-31')).errors).toEqual([])
  expect(await publishesBy('2126-03-11T09:00:00Z')).toEqual([])
  bank.clock.set(start)
})
