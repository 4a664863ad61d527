import { expect, test } from 'vitest'
import { SelectedColumns } from '../../../kernel/database/selected-columns.ts'

interface Row {
  partyId: string
  givenName: string
  familyName: string
  language: string
}
const all = ['partyId', 'givenName', 'familyName', 'language'] as const
const everything = new SelectedColumns<Row>(all, [], {}).listFor()

const columns = () =>
  new SelectedColumns<Row>(all, ['partyId'], { displayName: ['givenName', 'familyName'] })

test.each([
  { fields: ['language'], list: 'party_id as "partyId", language as "language"' },
  { fields: ['partyId'], list: 'party_id as "partyId"' },
  {
    fields: ['displayName'],
    list: 'party_id as "partyId", given_name as "givenName", family_name as "familyName"',
  },
  { fields: ['language', 'unknown'], list: everything },
  { fields: ['constructor'], list: everything },
])('reads the columns of $fields', ({ fields, list }) => {
  expect(columns().listFor(new Set(fields))).toBe(list)
})

test('reads all columns of no selection', () => {
  expect(columns().listFor()).toBe(everything)
})

test('the order of the fields makes no other list', () => {
  const one = columns()
  const list = one.listFor(new Set(['language', 'givenName']))
  expect(one.listFor(new Set(['givenName', 'language']))).toBe(list)
})

test('the number of lists is limited, whatever clients select', () => {
  const names = Array.from({ length: 8 }, (_, index) => `field${index}`)
  const many = new SelectedColumns<Record<string, string>>(names, [], {})
  const lists = Array.from({ length: 255 }, (_, index) =>
    many.listFor(new Set(names.filter((_name, bit) => ((index + 1) >> bit) & 1))),
  )
  expect(new Set(lists).size).toBeLessThanOrEqual(31)
  expect(lists.at(-1)).toBe(many.listFor())
})
