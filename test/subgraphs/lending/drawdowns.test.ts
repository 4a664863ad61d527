import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import {
  ada,
  aLender,
  aLimit,
  aLoan,
  booked,
  draw,
  eur,
  facilityOf,
  findings,
  grace,
  morningOf,
  opened,
  previewDrawdown,
  publish,
  runOnce,
  eventsOf,
} from './facility-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aLender()
})
afterAll(async () => {
  expect(await findings(bank)).toEqual([])
  await bank.drop()
})

describe('drawdown', () => {
  test('matches its preview in amounts, schedule and limit, and emits its events', async () => {
    const before = await booked(bank, 'arr_ada')
    await opened(bank, aLimit({ facilityId: 'fac_1' }))
    const input = { facilityId: 'fac_1', amount: '2500.00' }
    const { preview } = (await previewDrawdown(bank, input)).data
    expect(await booked(bank, 'arr_ada')).toBe(before)
    const { drawdown } = (await draw(bank, input, { caller: ada })).data
    for (const member of [
      'amount',
      'valueDate',
      'availableLimitBefore',
      'availableLimitAfter',
      'outstandingPrincipal',
      'scheduleVersion',
      'nextInstallment',
    ]) {
      expect(drawdown[member], member).toEqual(preview[member])
    }
    const facility = await facilityOf(bank, 'fac_1')
    expect(facility.schedule).toEqual(preview.installments)
    expect(facility.scheduleVersions.map(({ version, cause }: any) => [version, cause])).toEqual([
      [2, 'DISBURSEMENT'],
      [1, null],
    ])
    expect(facility.scheduleVersions[0].figures).toEqual(preview.after)
    expect(facility.scheduleVersions[1].figures).toEqual(preview.before)
    expect(facility).toMatchObject({ state: 'ACTIVE', available: { amount: '7500.00' } })
    expect(await booked(bank, 'arr_ada')).toBe(before + 250_000)
    expect(await booked(bank, 'loan@fac_1', 'principal')).toBe(250_000)
    const types = await eventsOf(bank, `drawdown/${drawdown.drawdownId}`)
    expect(types).toEqual(['requested', 'approved', 'disbursed'])
    expect(await eventsOf(bank, 'facility/fac_1')).toEqual([
      'opened',
      'activated',
      'schedule-changed',
    ])
  })

  test('pays out to an external account or, by account number, to an account at this bank', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_iban' }))
    bank.bank.environment = 'sandbox'
    onTestFinished(() => void (bank.bank.environment = 'live'))
    const to = (iban: string) =>
      draw(bank, {
        facilityId: 'fac_iban',
        amount: eur('10.00'),
        destination: { externalAccount: { iban, name: 'Konrad Zuse' } },
      })
    const elsewhere = (await to('DE89 3704 0044 0532 0130 00')).data.drawdown
    expect(elsewhere).toMatchObject({
      destination: null,
      destinationIban: 'DE89370400440532013000',
    })
    expect(await booked(bank, 'settlement/EUR')).toBe(-1000)
    expect((await to('NL12BKGR0000000001')).data.drawdown.destination).toEqual({
      arrangementId: 'arr_ada',
    })
    expect((await to('NL55BKGR0000000003')).code).toBe('ACCOUNT_NUMBER_NOT_FOUND')
    expect((await to('DE88370400440532013000')).code).toBe('INVALID_IBAN')
  })

  test('to another bank is rejected in live, where no rail is configured', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_live' }))
    const before = await booked(bank, 'settlement/EUR')
    const request = (valueDate: string) => ({
      facilityId: 'fac_live',
      amount: eur('10.00'),
      valueDate,
      destination: { externalAccount: { iban: 'DE89370400440532013000', name: 'Konrad Zuse' } },
    })
    const { errors } = await draw(bank, request('2026-03-02'))
    expect(errors[0]!.extensions).toMatchObject({
      code: 'RAIL_NOT_CONFIGURED',
      errors: [{ pointer: '/destination/externalAccount/iban' }],
    })
    // A drawdown approved while the rail was simulated is not disbursed in live either.
    bank.bank.environment = 'sandbox'
    onTestFinished(() => void (bank.bank.environment = 'live'))
    const later = (await draw(bank, request('2026-03-04'))).data.drawdown
    expect(later).toMatchObject({ status: 'APPROVED', isSimulated: true })
    bank.bank.environment = 'live'
    bank.clock.set('2026-03-04T09:00:00Z')
    await runOnce(bank, 'lending.execute-drawdowns')
    bank.clock.set('2026-03-02T09:00:00Z')
    const types = await eventsOf(bank, `drawdown/${later.drawdownId}`)
    expect(types).toEqual(['requested', 'approved', 'cancelled'])
    expect(await booked(bank, 'settlement/EUR')).toBe(before)
    const { available, limit } = await facilityOf(bank, 'fac_live')
    expect(available).toEqual(limit)
  })

  test('of a loan in parts merges into one schedule', async () => {
    await opened(bank, aLoan({ facilityId: 'loan_parts', kind: 'SME_FACILITY', disburse: false }))
    expect(await facilityOf(bank, 'loan_parts')).toMatchObject({ state: 'APPROVED', schedule: [] })
    await draw(bank, { facilityId: 'loan_parts', amount: '5000.00' })
    bank.clock.set('2026-03-12T09:00:00Z')
    const second = { facilityId: 'loan_parts', amount: '7000.00' }
    const { preview } = (await previewDrawdown(bank, second)).data
    const { drawdown } = (await draw(bank, second)).data
    expect(drawdown).toMatchObject({ scheduleVersion: 2, availableLimitAfter: { amount: '0.00' } })
    expect((await facilityOf(bank, 'loan_parts')).schedule).toEqual(preview.installments)
    expect((await draw(bank, { ...second, amount: '0.01' })).code).toBe('LIMIT_EXCEEDED')
    bank.clock.set('2026-03-02T09:00:00Z')
  })

  test.each([
    ['an unknown facility', { facilityId: 'fac_x' }, 'FACILITY_NOT_FOUND'],
    ['a zero amount', { amount: '0.00' }, 'INVALID_AMOUNT'],
    ['a negative amount', { amount: '-1.00' }, 'INVALID_AMOUNT'],
    ['an amount below the minimum drawdown', { amount: '99.99' }, 'BELOW_MINIMUM_DRAWDOWN'],
    ['an amount above the limit', { amount: '10000.01' }, 'LIMIT_EXCEEDED'],
    ['another currency', { amount: { amount: '100.00', currency: 'USD' } }, 'CURRENCY_MISMATCH'],
    ['another currency beside the amount', { currency: 'USD' }, 'CURRENCY_MISMATCH'],
    ['fractions of a cent', { amount: '100.001' }, 'VALIDATION_FAILED'],
    [
      'a value date before the availability period',
      { valueDate: '2026-03-01' },
      'OUTSIDE_AVAILABILITY_PERIOD',
    ],
    [
      'a value date after the availability period',
      { valueDate: '2026-09-02' },
      'OUTSIDE_AVAILABILITY_PERIOD',
    ],
    ['a value date too far in the past', { valueDate: '2026-01-01' }, 'VALUE_DATE_OUT_OF_WINDOW'],
    ['an unknown account', { destination: { arrangementId: 'arr_x' } }, 'ARRANGEMENT_NOT_FOUND'],
    ['an empty destination', { destination: {} }, 'VALIDATION_FAILED'],
  ])('is rejected for %s and books nothing', async (_why, more, code) => {
    await opened(
      bank,
      aLimit({
        facilityId: 'fac_rules',
        minimumDrawdown: eur('100.00'),
        availableTo: '2026-09-01',
      }),
    )
    const before = await bank.rows('select count(*) from ledger.entry')
    const request = { facilityId: 'fac_rules', amount: '100.00', ...more }
    expect((await draw(bank, request)).code).toBe(code)
    expect((await previewDrawdown(bank, request)).code).toBe(code)
    expect(await bank.rows('select count(*) from ledger.entry')).toEqual(before)
  })

  test('treats another party’s facility as unknown, and rejects backdating by a delegated user', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_hers' }))
    const input = { facilityId: 'fac_hers', amount: '1.00' }
    expect((await draw(bank, input, { caller: grace })).code).toBe('FACILITY_NOT_FOUND')
    const back = { ...input, valueDate: '2026-03-01' }
    expect((await draw(bank, back, { caller: ada })).code).toBe('BACKDATE_NOT_ALLOWED')
    const elsewhere = { ...input, destination: { arrangementId: 'arr_grace' } }
    expect((await draw(bank, elsewhere, { caller: ada })).code).toBe('ARRANGEMENT_NOT_FOUND')
  })

  test('requires the allocated collateral to reach the required coverage', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_cov', requiredCoveragePct: '125.5' }))
    const input = { facilityId: 'fac_cov', amount: '1000.00' }
    expect((await draw(bank, input)).code).toBe('INSUFFICIENT_COLLATERAL')
    const coverage = (allocatedMinor: string) =>
      publish(bank, 'collateral-coverage/fac_cov', { allocatedMinor, currency: 'EUR' })
    await coverage('125499')
    expect((await draw(bank, input)).code).toBe('INSUFFICIENT_COLLATERAL')
    await coverage('125500')
    expect((await draw(bank, input)).data.drawdown.status).toBe('DISBURSED')
    expect((await draw(bank, { ...input, amount: '0.01' })).code).toBe('INSUFFICIENT_COLLATERAL')
  })

  test('with a later value date reserves the limit and is disbursed on that day, once', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_later' }))
    const before = await booked(bank, 'arr_ada')
    const { drawdown } = (
      await draw(bank, { facilityId: 'fac_later', amount: '9000.00', valueDate: '2026-03-05' })
    ).data
    expect(drawdown).toMatchObject({ status: 'APPROVED', postingInstructionId: null })
    expect((await draw(bank, { facilityId: 'fac_later', amount: '1000.01' })).code).toBe(
      'LIMIT_EXCEEDED',
    )
    expect(await runOnce(bank, 'lending.execute-drawdowns')).toBe(0)
    bank.clock.set('2026-03-05T00:00:00Z')
    await Promise.all([1, 2, 3].map(() => runOnce(bank, 'lending.execute-drawdowns')))
    expect(await booked(bank, 'arr_ada')).toBe(before + 900_000)
    expect(await facilityOf(bank, 'fac_later')).toMatchObject({
      available: { amount: '1000.00' },
      outstandingPrincipal: { amount: '9000.00' },
    })
    bank.clock.set('2026-03-02T09:00:00Z')
  })

  test('is cancelled with a reason when it has become impossible by its value date', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_gone', requiredCoveragePct: '100' }))
    const coverage = (allocatedMinor: string) =>
      publish(bank, 'collateral-coverage/fac_gone', { allocatedMinor, currency: 'EUR' })
    await coverage('100000')
    const input = { facilityId: 'fac_gone', amount: '1000.00', valueDate: '2026-03-06' }
    const { drawdownId } = (await draw(bank, input)).data.drawdown
    await coverage('0')
    bank.clock.set('2026-03-06T09:00:00Z')
    await runOnce(bank, 'lending.execute-drawdowns')
    const query = 'query ($id: ID!) { drawdown(drawdownId: $id) { status reasonCode } }'
    expect((await bank.execute(query, { id: drawdownId })).data.drawdown).toEqual({
      status: 'CANCELLED',
      reasonCode: 'INSUFFICIENT_COLLATERAL',
    })
    expect((await facilityOf(bank, 'fac_gone')).available.amount).toBe('10000.00')
    bank.clock.set('2026-03-02T09:00:00Z')
  })

  test('is disbursed as of today when its value date passed and an installment became due since', async () => {
    const facilityId = 'fac_late'
    const request = { facilityId, kind: 'SME_FACILITY', disburse: false }
    await opened(bank, aLoan(request))
    await draw(bank, { facilityId, amount: '1000.00' })
    const later = { facilityId, drawdownId: 'drw_late', amount: '500.00', valueDate: '2026-03-20' }
    expect((await draw(bank, later)).data.drawdown.status).toBe('APPROVED')
    await morningOf(bank, '2026-04-10')
    await runOnce(bank, 'lending.execute-drawdowns')
    const query = 'query ($id: ID!) { drawdown(drawdownId: $id) { status valueDate reasonCode } }'
    const { data } = await bank.execute(query, { id: 'drw_late' })
    expect(data.drawdown).toEqual({
      status: 'DISBURSED',
      valueDate: '2026-04-10',
      reasonCode: null,
    })
    bank.clock.set('2026-03-02T09:00:00Z')
  })

  test('is disbursed once when its idempotency key or its id is repeated', async () => {
    await opened(bank, aLimit({ facilityId: 'fac_once' }))
    const input = { facilityId: 'fac_once', amount: '10.00', drawdownId: 'drw_once' }
    const first = await draw(bank, input, { idempotencyKey: 'k' })
    const again = await draw(bank, input, { idempotencyKey: 'k' })
    expect([again.data, again.isReplayed]).toEqual([first.data, true])
    expect((await draw(bank, input)).data).toEqual(first.data)
    expect((await draw(bank, { ...input, amount: '11.00' })).code).toBe('RESOURCE_EXISTS')
    expect((await facilityOf(bank, 'fac_once')).outstandingPrincipal.amount).toBe('10.00')
  })
})

test('disburses exactly one of two concurrent drawdowns of the last of a limit', async () => {
  const other = bank.another()
  let wins = 0
  for (let round = 0; round < 25; round++) {
    const facilityId = `fac_race_${round}`
    await opened(bank, aLimit({ facilityId, limit: eur('100.00') }))
    const answers = await Promise.all(
      [bank, other].map((testBank) => draw(testBank, { facilityId, amount: '60.00' })),
    )
    const codes = answers
      .map(({ code, data }) => code ?? data.drawdown.status)
      .toSorted((one, other) => one.localeCompare(other))
    expect(codes).toEqual(['DISBURSED', 'LIMIT_EXCEEDED'])
    wins++
  }
  expect(wins).toBe(25)
})
