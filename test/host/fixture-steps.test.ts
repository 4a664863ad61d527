import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { fixtureSteps, type FixtureStep } from '../../host/fixture-steps.ts'
import { fixturesPath } from '../../host/fixtures.ts'
import { addDays, dateOf } from '../../kernel/domain/dates.ts'

const source = readFileSync(fixturesPath, 'utf8')
const [current, savings, graces] = ['arr_ada_current', 'arr_ada_savings', 'arr_grace_current']
const [growth, overdrawn, deposit] = [
  'arr_grace_growth',
  'arr_grace_overdraft',
  'arr_grace_deposit',
]

/** The scalar members of a fixture's input, by name. */
function inputOf({ document, variables }: FixtureStep): Map<string, string> {
  const { loc: _, ...definition } = document.definitions[0] as any
  const [field] = definition.selectionSet.selections
  const input = field.arguments.find(({ name }: any) => name.value === 'input')
  const valueOf = ({ kind, value, name, fields }: any): string =>
    kind === 'Variable'
      ? variables[name.value]!
      : (value ?? fields?.find((each: any) => each.name.value === 'amount')?.value.value)
  const members = (input?.value.fields ?? []).map(({ name, value }: any) => [
    name.value,
    valueOf(value),
  ])
  return new Map([['field', field.name.value], ...members])
}

/** The accounts and the amount in cents that a settled posting moves. */
function movementOf(step: FixtureStep): { from?: string; to?: string; amount: number } | null {
  const input = inputOf(step)
  const amount = Math.round(Number(input.get('amount')) * 100)
  if (input.get('field') === 'createTermDeposit') {
    return {
      from: input.get('settlementArrangementId')!,
      to: input.get('arrangementId')!,
      amount,
    }
  }
  if (input.get('field') !== 'createPostingInstruction') return null
  const of = input.get('arrangementId') ?? current
  switch (input.get('type')) {
    case 'OUTBOUND_AUTHORIZATION':
      return null
    case 'INBOUND_HARD_SETTLEMENT':
      return { to: of, amount }
    case undefined:
      return {
        from: input.get('debtorArrangementId')!,
        to: input.get('creditorArrangementId')!,
        amount,
      }
    default:
      return { from: of, amount }
  }
}

test('keeps past fixtures in order and without overdrafts but one, on every day of a leap year', () => {
  for (let today = '2027-12-01'; today < '2029-01-01'; today = addDays(today, 1)) {
    const steps = fixtureSteps(source, today).filter(({ happenedAt }) => happenedAt)
    const balances: Record<string, number> = {
      [current]: 0,
      [savings]: 0,
      [graces]: 0,
      [growth]: 0,
      [overdrawn]: 0,
      [deposit]: 0,
    }
    let before = 0
    for (const step of steps) {
      expect(dateOf(step.happenedAt!) < today, `${step.key} on ${today}`).toBe(true)
      const movement = movementOf(step)
      if (!movement) continue
      const { from, to, amount } = movement
      const at = step.happenedAt!.getTime()
      expect(at, `${step.key} on ${today}`).toBeGreaterThanOrEqual(before)
      before = at
      if (from) balances[from]! -= amount
      if (to) balances[to]! += amount
      // A card payment authorized around the same time needs some headroom.
      if (from && from !== overdrawn)
        expect(balances[from], `${step.key} on ${today}`).toBeGreaterThan(100_00)
    }
    expect(balances, today).toEqual({
      [current]: 1507_50,
      [savings]: 300_00,
      [graces]: 3100_00,
      [growth]: 12_000_00,
      [overdrawn]: -750_00,
      [deposit]: 5000_00,
    })
  }
})

test('repeats a monthly fixture on the same day of each month, or on Friday before a weekend', () => {
  const monthly =
    'mutation Rent @happened(daysAgo: 10, months: 3, at: "07:30") { a } mutation Now { a }'
  const datesOn = (today: string) =>
    fixtureSteps(monthly, today).map(({ happenedAt }) => happenedAt?.toISOString() ?? null)
  // 31 January and 28 February 2027 are Sundays, 31 March is a Wednesday.
  expect(datesOn('2027-04-10')).toEqual([
    '2027-01-29T07:30:00.000Z',
    '2027-02-26T07:30:00.000Z',
    '2027-03-31T07:30:00.000Z',
    null,
  ])
})

test('sorts past fixtures by time up to the next fixture of today', () => {
  const some = `mutation Late($amount: Amount!) @happened(daysAgo: [9, 3], at: "10:00", amounts: ["1.00", "2.00"]) { a }
    mutation Early @happened(daysAgo: 5, at: "10:00") { a }
    mutation Now($today: Date!, $daysAgo2: Date!) { a }
    mutation Earliest @happened(daysAgo: 90, at: "10:00") { a }`
  const steps = fixtureSteps(some, '2027-04-10').map(({ key, variables }) => [key, variables])
  expect(steps).toEqual([
    ['fixture:Late:1', { amount: '1.00' }],
    ['fixture:Early', {}],
    ['fixture:Late:2', { amount: '2.00' }],
    ['fixture:Now', { today: '2027-04-10', daysAgo2: '2027-04-08' }],
    ['fixture:Earliest', {}],
  ])
})

test.each([
  ['today', 'mutation Bad @happened(daysAgo: 0, at: "10:00") { a }'],
  ['a time that does not exist', 'mutation Bad @happened(daysAgo: 1, at: "25:00") { a }'],
  [
    'a missing amount',
    'mutation Bad @happened(daysAgo: [2, 1], at: "10:00", amounts: ["1"]) { a }',
  ],
  ['an unknown variable', 'mutation Bad($tomorrow: Date!) { a }'],
])('rejects a fixture with %s and names it', (_what, text) => {
  expect(() => fixtureSteps(text, '2027-04-10')).toThrow('The fixture Bad ')
})
