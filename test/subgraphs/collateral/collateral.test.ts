import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  aCollateral,
  bank,
  creating,
  does,
  tryMutation,
  euro,
  fields,
  openBank,
  out,
  read,
  unique,
  valuing,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

describe('Creating collateral', () => {
  test('records owners, valuation, lendable value and allocations', async () => {
    const { data, errors } = await creating(`collateralType: "real-estate", description: "A house",
      owners: [{ partyId: "pty_ada", sharePct: "60" }, { partyId: "pty_grace", sharePct: "40" }]
      identifiers: [{ scheme: TITLE_NUMBER, value: "NGL 1" }], priorLiens: ${euro('50000')}
      valuation: { marketValue: ${euro('250000.01')}, forcedSaleValue: ${euro('200000')},
        method: APPRAISAL, valuer: "Surveyors", valuationDate: "2026-02-01" }
      links: [{ facilityId: "fac_ada", amount: ${euro('100000')} }, { facilityId: "fac_grace", pct: "20", rank: 5 }]`)
    expect(errors).toEqual([])
    expect(data.act).toMatchObject({
      status: 'ACTIVE',
      haircutPct: '20',
      valuation: { number: 1, marketValue: out('250000.01'), method: 'APPRAISAL' },
      // 250,000.01 × 80 % − 50,000, rounded down to the cent.
      lendableValue: out('150000.00'),
      allocatedValue: out('130000.00'),
      freeValue: out('20000.00'),
      links: [
        { facilityId: 'fac_ada', rank: 1, amount: out('100000.00'), pct: null, isCovering: true },
        { facilityId: 'fac_grace', rank: 5, amount: null, allocated: out('30000.00') },
      ],
    })
    const { collateralId } = data.act
    const events = (await bank.events()).filter(
      ({ subject }) => subject === `collateral/${collateralId}`,
    )
    expect(events.map(({ type }) => type)).toEqual([
      'collateral.collateral.created',
      'collateral.collateral.allocated',
    ])
    expect(events[0]!.parties).toEqual(['pty_ada', 'pty_grace'])
    expect(events[0]!.data).toMatchObject({
      lendableMinor: '15000000',
      marketValueMinor: '25000001',
    })
    expect((await read(collateralId)).data.collateral).toEqual(data.act)
  })

  test('is idempotent by id', async () => {
    const more = `collateralId: "${unique('col')}"`
    const first = await creating(more)
    expect(first.data.act).toMatchObject({ status: 'PROPOSED', lendableValue: null, links: [] })
    expect((await creating(more)).data).toEqual(first.data)
    expect((await creating(`${more}, description: "Another"`)).code).toBe('RESOURCE_EXISTS')
  })

  const valued = (more: string) => `valuation: { method: INDEX, ${more} }`
  const worth = `marketValue: ${euro('100')}`
  const owned = (...shares: string[]) =>
    `owners: [${shares.map((share, at) => `{ partyId: "${['pty_ada', 'pty_grace'][at]}" ${share} }`).join()}]`
  test.each([
    ['owners: [{ partyId: "pty_none" }]', 'PARTY_NOT_FOUND', '/owners/0/partyId'],
    [owned('sharePct: "60"', 'sharePct: "40.0000000001"'), 'OWNERSHIP_EXCEEDS_100', '/owners'],
    [owned('sharePct: "60"', ''), 'VALIDATION_FAILED', '/owners/1/sharePct'],
    [owned('sharePct: "0"'), 'VALIDATION_FAILED', '/owners/0/sharePct'],
    [owned('sharePct: "-1"'), 'VALIDATION_FAILED', '/owners/0/sharePct'],
    [
      'owners: [{ partyId: "pty_ada", sharePct: "1" }, { partyId: "pty_ada", sharePct: "1" }]',
      'VALIDATION_FAILED',
      '/owners/1/partyId',
    ],
    ['haircutPct: "100.1"', 'VALIDATION_FAILED', '/haircutPct'],
    ['haircutPct: "-0.1"', 'VALIDATION_FAILED', '/haircutPct'],
    ['priorLiens: { amount: "-1", currency: "EUR" }', 'VALIDATION_FAILED', '/priorLiens/amount'],
    [
      valued(`${worth}, valuationDate: "2026-03-03"`),
      'VALUATION_DATE_IN_FUTURE',
      '/valuation/valuationDate',
    ],
    [
      valued(`${worth}, nextRevaluationDue: "2026-03-02"`),
      'INVALID_DATE_RANGE',
      '/valuation/nextRevaluationDue',
    ],
    [
      valued(`${worth}, forcedSaleValue: ${euro('101')}`),
      'VALIDATION_FAILED',
      '/valuation/forcedSaleValue/amount',
    ],
    [
      valued(`${worth}, forcedSaleValue: { amount: "1", currency: "USD" }`),
      'CURRENCY_MISMATCH',
      '/valuation/forcedSaleValue/currency',
    ],
    [
      valued(`marketValue: { amount: "1.001", currency: "EUR" }`),
      'VALIDATION_FAILED',
      '/valuation/marketValue/amount',
    ],
    [
      valued(`marketValue: { amount: "999999999999999.9999", currency: "CLF" }`),
      'VALIDATION_FAILED',
      '/valuation/marketValue/amount',
    ],
    [
      `priorLiens: { amount: "1", currency: "USD" } ${valued(worth)}`,
      'CURRENCY_MISMATCH',
      '/valuation/marketValue/currency',
    ],
    ['identifiers: [{ scheme: VIN, value: "--" }]', 'VALIDATION_FAILED', '/identifiers/0/value'],
    [
      'identifiers: [{ scheme: VIN, value: "a1" }, { scheme: VIN, value: "A-1" }]',
      'VALIDATION_FAILED',
      '/identifiers/1/value',
    ],
    ['status: "released"', 'INVALID_INITIAL_STATUS', '/status'],
    [`status: "proposed" ${valued(worth)}`, 'INVALID_INITIAL_STATUS', '/status'],
    ['links: [{ facilityId: "fac_none" }]', 'FACILITY_NOT_FOUND', '/links/0/facilityId'],
    [
      `${valued(worth)} links: [{ facilityId: "fac_ada", amount: ${euro('100.01')} }]`,
      'OVER_ALLOCATED',
      '/links/0/amount',
    ],
    [
      `${valued(worth)} links: [{ facilityId: "fac_ada", amount: ${euro('0')} }]`,
      'VALIDATION_FAILED',
      '/links/0/amount/amount',
    ],
    [
      `${valued(worth)} links: [{ facilityId: "fac_ada", rank: 0 }]`,
      'VALIDATION_FAILED',
      '/links/0/rank',
    ],
    [
      `${valued(worth)} links: [{ facilityId: "fac_ada", pct: "1", amount: ${euro('1')} }]`,
      'VALIDATION_FAILED',
      '/links/0/pct',
    ],
  ])('rejects %s', async (more, code, pointer) => {
    const before = (await bank.events()).length
    const { errors } = await creating(more)
    expect(errors[0]!.extensions).toMatchObject({ code, errors: [{ pointer }] })
    expect(await bank.events()).toHaveLength(before)
  })

  test('applies a default haircut to every type', async () => {
    const haircut = async (type: string) =>
      (await creating(`collateralType: "${type}"`)).data.act.haircutPct
    expect(await haircut('cash-deposit')).toBe('0')
    expect(await haircut('Vehicle')).toBe('40')
    expect(await haircut('racehorse')).toBe('50')
    expect(await haircut('constructor')).toBe('50')
  })

  test('accepts a permitted initial status', async () => {
    const status = async (more: string) => (await creating(more)).data.act.status
    expect(await status('status: "Active"')).toBe('ACTIVE')
    expect(await status(`status: "valued" ${valued(worth)}`)).toBe('VALUED')
  })
})

describe('Collateral valuations', () => {
  test('keeps all valuations, of which the one with the latest date is effective', async () => {
    const id = await aCollateral('100')
    const older = await valuing(id, '500', ', valuationDate: "2025-12-31"')
    expect(older.data.act).toMatchObject({ valuation: { number: 1 }, lendableValue: out('100.00') })
    const newer = await valuing(id, '80')
    expect(newer.data.act).toMatchObject({ valuation: { number: 3 }, lendableValue: out('80.00') })
    const all = `query ($id: ID!, $after: String) { collateral(collateralId: $id) {
      valuations(first: 2, after: $after) { nodes { number marketValue { amount } } pageInfo { hasNextPage endCursor } } } }`
    const first = (await bank.execute(all, { id })).data.collateral.valuations
    expect(first.nodes).toEqual([
      { number: 1, marketValue: { amount: '100.00' } },
      { number: 2, marketValue: { amount: '500.00' } },
    ])
    const rest = await bank.execute(all, { id, after: first.pageInfo.endCursor })
    expect(rest.data.collateral.valuations.nodes).toMatchObject([{ number: 3 }])
  })

  test('rejects updates and deletions of valuations, even in the database', async () => {
    await aCollateral('100')
    for (const sql of [
      'update collateral.valuation set number = 9',
      'delete from collateral.valuation',
    ]) {
      await expect(bank.rows(sql)).rejects.toThrow(/kept as it was recorded/)
    }
  })
})

describe('Collateral identifiers', () => {
  const named = (scheme: string, value: string) =>
    `identifiers: [{ scheme: ${scheme}, value: "${value}" }]`

  test('rejects a second pledge of a unique asset, in any spelling, until the first is rejected', async () => {
    const vin = unique('WVW ZZZ')
    const [first] = [await creating(named('VIN', vin))]
    const again = await creating(named('VIN', vin.toLowerCase().replaceAll(' ', '-')))
    expect(again.errors[0]!.extensions).toMatchObject({
      code: 'COLLATERAL_IDENTIFIER_IN_USE',
      errors: [{ pointer: '/identifiers/0/value' }],
    })
    expect(JSON.stringify(again.errors)).not.toContain(first.data.act.collateralId)
    expect((await creating(named('SERIAL_NUMBER', vin))).errors).toEqual([])
    await does('rejectCollateral', first.data.act.collateralId)
    expect((await creating(named('VIN', vin))).errors).toEqual([])
  })

  test('permits several pledges of a fungible asset', async () => {
    for (let times = 0; times < 2; times++) {
      expect((await creating(named('ISIN', 'US0378331005'))).errors).toEqual([])
    }
  })

  test('releases and claims identifiers with an update', async () => {
    const [one, two] = [unique('T'), unique('T')]
    const { collateralId: id } = (await creating(named('TITLE_NUMBER', one))).data.act
    const change = (value: string) =>
      tryMutation(
        `updateCollateral(input: { collateralId: $id, ${named('TITLE_NUMBER', value)} }) { ${fields} }`,
        { id },
      )
    expect((await change(two)).errors).toEqual([])
    expect((await creating(named('TITLE_NUMBER', one))).errors).toEqual([])
    expect((await creating(named('TITLE_NUMBER', two))).code).toBe('COLLATERAL_IDENTIFIER_IN_USE')
    expect((await change(one)).code).toBe('COLLATERAL_IDENTIFIER_IN_USE')
  })

  test('permits exactly one of many concurrent requests for an identifier', async () => {
    const request = named('VIN', unique('RACE'))
    const answers = await Promise.all(Array.from({ length: 8 }, () => creating(request)))
    expect(answers.filter(({ errors }) => errors.length === 0)).toHaveLength(1)
    const codes = answers.flatMap(({ code }) => code ?? [])
    expect(new Set(codes)).toEqual(new Set(['COLLATERAL_IDENTIFIER_IN_USE']))
  })
})
