import { describe, expect, test } from 'vitest'
import { isImpersonalName } from '../../../kernel/domain/personal-data.ts'
import { endedBefore, erasedAt, retentionRules } from '../../../kernel/domain/retention.ts'
import type { Column } from '../../../subgraphs/privacy/domain/columns.ts'
import {
  erasureSteps,
  nextDueAt,
  nextStep,
  verdictOf,
} from '../../../subgraphs/privacy/domain/erasure-plan.ts'
import { exportSources, memberNameOf } from '../../../subgraphs/privacy/domain/export-source.ts'

const endedAt = new Date('2026-02-28T12:00:00Z')

describe('retention', () => {
  test.each([
    ['due-diligence', '2031-02-28T12:00:00.000Z'],
    ['contract', '2037-01-01T00:00:00.000Z'],
    ['service', '2030-01-01T00:00:00.000Z'],
    ['access', '2027-02-28T12:00:00.000Z'],
  ] as const)('the rule %s ends at %s', (name, end) => {
    expect(erasedAt(retentionRules[name], endedAt)?.toISOString()).toBe(end)
  })

  test('the rule journal never ends', () => {
    expect(erasedAt(retentionRules.journal, endedAt)).toBeNull()
  })

  test('a request erases only what no law keeps, and the end of a period everything due', () => {
    const now = new Date('2031-02-28T11:59:59Z')
    const request = { cause: 'request', endedAt } as const
    expect(verdictOf('service', request, endedAt)).toEqual({ isDue: true })
    expect(verdictOf('due-diligence', request, now)).toMatchObject({
      isDue: false,
      keptUntil: new Date('2031-02-28T12:00:00Z'),
    })
    const retention = { cause: 'retention', endedAt } as const
    expect(verdictOf('service', retention, endedAt).isDue).toBe(false)
    expect(verdictOf('due-diligence', retention, new Date('2031-02-28T12:00:00Z')).isDue).toBe(true)
    expect(verdictOf('journal', retention, new Date('2999-01-01'))).toMatchObject({
      isDue: false,
      keptUntil: null,
    })
  })

  test('the next period to end is the earliest after now', () => {
    const rules = ['contract', 'access', 'journal', 'access'] as const
    expect(nextDueAt(rules, endedAt, endedAt)).toEqual(new Date('2027-02-28T12:00:00Z'))
    const afterAccess = new Date('2027-02-28T12:00:00Z')
    expect(nextDueAt(rules, endedAt, afterAccess)).toEqual(new Date('2037-01-01'))
    expect(nextDueAt(rules, endedAt, new Date('2037-01-01'))).toBe(null)
    expect(nextDueAt(['journal'], endedAt, endedAt)).toBe(null)
  })
})

const column = (name: string, type = 'text', rest: Partial<Column> = {}): Column => {
  return { table: 'a.b', name, type, isNullable: true, isKey: false, ...rest }
}
const columns = [
  column('b_id', 'text', { isKey: true, isNullable: false }),
  column('party_id'),
  column('name'),
  column('note', 'text', { isNullable: false }),
  column('tags', 'text[]', { isNullable: false }),
  column('extra', 'json'),
  column('secret'),
  column('version', 'integer', { isNullable: false }),
]
const tables = new Map([['a.b', columns]])
const rows = {
  area: 'a',
  purpose: 'tests',
  table: 'a.b',
  party: 'party_id',
  rule: 'contract',
  personal: {
    name: 'identity',
    note: { category: 'communication', rule: 'service' },
    tags: { category: 'communication', rule: 'service' },
    extra: { category: 'communication', members: 'x y' },
  },
  hidden: 'secret',
} as const

describe('the plan of an erasure', () => {
  test('has a step for each rule of a table', () => {
    const steps = erasureSteps([rows], tables, 'party', new Date())
    expect(steps.map(({ rule, columns: names }) => [rule, names])).toEqual([
      ['contract', ['name', 'extra']],
      ['service', ['note', 'tags']],
    ])
    expect(steps[0]!.assignments).toBe(
      "name = null::text, extra = kernel.redacted(t.extra::jsonb, '{x,y}')::json, version = t.version + 1",
    )
    expect(steps[1]!.assignments).toBe(
      "note = '[erased]', tags = '{}'::text[], version = t.version + 1",
    )
    expect(steps[1]!.erasable).toContain("t.note::text is distinct from ('[erased]')::text")
  })

  test('deletes rows, spares exceptions, and leaves out rows of nobody', () => {
    const erasable = { when: 'tags = tags', reason: 'Because.' }
    const [step] = erasureSteps(
      [{ ...rows, isDeleted: true, erasable }],
      tables,
      'party',
      new Date(),
    )
    expect(step).toMatchObject({
      assignments: null,
      erasable: 'party_id = $1 and (tags = tags)',
      exception: { condition: 'party_id = $1 and not ((tags = tags))', reason: 'Because.' },
    })
    expect(erasureSteps([{ ...rows, party: null }], tables, 'party', new Date())).toEqual([])
  })

  test('fails for a column that nothing says how to erase', () => {
    const strict = new Map([['a.b', [column('name', 'jsonb', { isNullable: false })]]])
    const each = { ...rows, personal: { name: 'identity' } } as const
    expect(() => erasureSteps([each], strict, 'party', new Date())).toThrow(
      'how a.b.name is erased',
    )
  })

  test('continues with the step whose line is missing, also of two equal ones', () => {
    const [first, second] = erasureSteps([rows], tables, 'party', new Date())
    const steps = [first!, first!, second!]
    const line = { tableName: 'a.b', columns: first!.columns }
    expect(nextStep(steps, [])).toBe(first)
    expect(nextStep(steps, [line])).toBe(first)
    expect(nextStep(steps, [line, line])).toBe(second)
    expect(nextStep(steps, [line, line, { ...line, columns: second!.columns }])).toBe(null)
  })
})

test('an export has the rows of both sides, with what each may see', () => {
  const counterparty = { party: 'b_id', shows: 'b_id name' }
  const register = [
    { area: 'a', purpose: 'tests', tables: { 'a.b': { ...rows, counterparty, internal: 'x' } } },
  ]
  const namesOf = (isForBank: boolean) =>
    exportSources(register, tables, isForBank).map((source) => [
      source.condition,
      source.columns.map(({ name }) => name).join(' '),
    ])
  const all = 'b_id party_id name note tags extra'
  const other = 'b_id = $1 and not coalesce(party_id = $1, false)'
  expect(namesOf(true)).toEqual([
    ['party_id = $1', all],
    [other, 'b_id name'],
  ])
  expect(namesOf(false)).toEqual([
    ['party_id = $1 and (x) is not true', all],
    [other, 'b_id name'],
  ])
})

test('names', () => {
  expect(memberNameOf('end_to_end_id')).toBe('endToEndId')
  expect(
    ['party_id', 'content_hash', 'status', 'decided_by', 'rate_pct'].every(isImpersonalName),
  ).toBe(true)
  expect(['name', 'identity', 'note', 'bystander'].some(isImpersonalName)).toBe(false)
})

test.each(['2026-01-01T00:00:00.000Z', '2026-06-15T12:00:00.000Z', '2027-12-31T23:59:59.999Z'])(
  'at %s, the same relationships are due by their end and by the time before which they ended',
  (at) => {
    const now = new Date(at)
    for (const rule of Object.values(retentionRules)) {
      for (let day = 0; day < 12 * 365; day++) {
        const endedAt = new Date(now.getTime() - day * 24 * 3600_000 + 3600_000)
        const due = erasedAt(rule, endedAt)
        const before = endedBefore(rule, now)
        expect(before !== null && endedAt < before).toBe(due !== null && due <= now)
      }
    }
  },
)
