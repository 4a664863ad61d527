import 'reflect-metadata'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { addDays } from '../../../kernel/domain/dates.ts'
import { ada, eventsOf, findings, morningOf } from './facility-kit.ts'
import { aLenderWithLateCharges, chargesOf, openLateLoan } from './late-loan-kit.ts'

let bank: RunningSubgraph
let facilityId: string
/** The due date of its first installment. */
let dueDate: string
let serial = 0
beforeAll(async () => {
  bank = await aLenderWithLateCharges()
})
afterAll(() => bank.drop())

beforeEach(async () => {
  facilityId = `loan_paused_${++serial}`
  dueDate = await openLateLoan(bank, facilityId)
})
afterEach(async () => {
  expect(await findings(bank)).toEqual([])
})

/** Goes to the morning after the end of a day, counted from the due date. */
const closeDay = (days: number) => morningOf(bank, addDays(dueDate, days + 1))
const charges = () => chargesOf(bank, facilityId)
const codeOf = ({ errors }: { errors: any[] }) => errors[0]?.extensions?.code

const pause = (more: object = {}, options: object = { caller: employee }) =>
  bank.execute(
    `mutation ($input: PauseLateChargesInput!) { pauseLateCharges(input: $input) {
      lateChargePauses { from until endedOn reason pausedBy endedBy } } }`,
    { input: { facilityId, until: addDays(dueDate, 20), reason: 'HARDSHIP', ...more } },
    options,
  )
const end = (options: object = { caller: employee }) =>
  bank.execute(
    'mutation ($id: ID!) { endLateChargePause(facilityId: $id) { lateChargePauses { endedOn } } }',
    { id: facilityId },
    options,
  )

test('a pause stops the days of grace and of default interest, until it is over', async () => {
  await closeDay(2)
  const { data, errors } = await pause()
  expect(errors).toEqual([])
  expect(data.pauseLateCharges.lateChargePauses).toEqual([
    {
      from: addDays(dueDate, 3),
      until: addDays(dueDate, 20),
      endedOn: null,
      reason: 'HARDSHIP',
      pausedBy: employee.subject,
      endedBy: null,
    },
  ])
  const { data: seen } = await bank.execute(
    'query ($id: ID!) { facility(facilityId: $id) { lateChargePauses { pausedBy } } }',
    { id: facilityId },
    { caller: ada },
  )
  expect(seen.facility.lateChargePauses).toEqual([{ pausedBy: null }])
  await closeDay(23)
  expect(await charges()).toEqual(['0.00', '0.00'])
  await closeDay(24)
  // 6 days count: 3 before the pause and 3 after it.
  expect(await charges()).toEqual(['15.00', '1.17'])
  const events = await eventsOf(bank, `facility/${facilityId}`)
  expect(events.filter((event) => event!.startsWith('late-charge'))).toEqual([
    'late-charges-paused',
  ])
})

test('a pause leaves what was charged, and can be ended early', async () => {
  await closeDay(9)
  expect((await pause({ until: addDays(dueDate, 40) })).errors).toEqual([])
  await closeDay(14)
  // The morning of the tenth day, when the charges were paused.
  expect(await charges()).toEqual(['15.00', '1.95'])
  expect(codeOf(await pause())).toBe('STATE_CONFLICT')
  const { data } = await end()
  expect(data.endLateChargePause.lateChargePauses).toEqual([{ endedOn: addDays(dueDate, 15) }])
  expect(codeOf(await end())).toBe('STATE_CONFLICT')
  await closeDay(19)
  expect(await charges()).toEqual(['15.00', '2.72'])
  const events = await eventsOf(bank, `facility/${facilityId}`)
  expect(events).toContain('late-charge-pause-ended')
})

test('a pause is refused for a period that is over or too long, and to everybody but employees', async () => {
  const codes = await Promise.all([
    pause({ from: addDays(dueDate, -60) }),
    pause({ from: addDays(dueDate, 21) }),
    pause({ until: addDays(dueDate, 600) }),
    pause({}, { caller: ada }),
    pause({}, {}),
    end({ caller: ada }),
    end(),
  ])
  expect(codes.map(codeOf)).toEqual([
    'START_DATE_IN_PAST',
    'INVALID_DATE_RANGE',
    'PERIOD_TOO_LONG',
    'NOT_FOR_DELEGATED_USERS',
    'PERSON_REQUIRED',
    'NOT_FOR_DELEGATED_USERS',
    'STATE_CONFLICT',
  ])
  facilityId = `loan_paused_${++serial}`
  await openLateLoan(bank, facilityId, { productId: null })
  expect(codeOf(await pause())).toBe('STATE_CONFLICT')
})
