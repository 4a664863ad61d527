import { describe, expect, test } from 'vitest'
import * as model from '../../../kernel/domain/model.ts'
import type { Field, Fields } from '../../../kernel/domain/model.ts'
import { dataOf, declareEvents } from '../../../kernel/events/events.ts'
import { eventDataOf, eventShapeOf } from '../../../kernel/events/record-data.ts'

const Color = model.enumeration('Color', 'A color.', { red: 'Red.', 'sky-blue': 'Blue.' })
const Size = model.shape('Size', 'A size.', {
  widthCm: model.integer('The width.'),
  measuredAt: model.instant('When it was measured.').orNull(),
})

let counter = 0
/** Declares an event with the fields of a record, and returns what the event of a record contains. */
function publisherOf(fields: Fields) {
  const Kite = model.entity('Kite', 'kiteId', 'A kite.', fields)
  const type = `kites.kite.number-${++counter}`
  declareEvents({ [type]: 'Something happened to a kite.' }, eventShapeOf(Kite))
  return (record: object) => dataOf({ type, data: eventDataOf(Kite, record) })
}
const publish = (field: Field<any>, value: unknown) =>
  publisherOf({ value: field.inEvents() })({ value })?.['value']

describe('The data of events', () => {
  test.each([
    ['an ID', model.id(), 'kite_1', 'kite_1', 'not an ID'],
    ['a string', model.string(), 'Any text.', 'Any text.', 7],
    ['a label', model.label(), 'kite', 'kite', 7],
    ['a text', model.text(), 'Any text.', 'Any text.', 7],
    ['a version label', model.versionLabel(), '2026.1', '2026.1', 7],
    ['a boolean', model.boolean(), true, true, 'true'],
    ['an integer', model.integer(), 7, 7, 7.5],
    ['a big integer', model.bigInt(), 12n, '12', '1.2'],
    ['a decimal', model.decimal(), '-1.50', '-1.50', '1,50'],
    ['a currency', model.currency(), 'EUR', 'EUR', 'euro'],
    ['a date', model.date(), '2026-02-28', '2026-02-28', '2026-02-30'],
    ['an instant', model.instant(), new Date(0), '1970-01-01T00:00:00.000Z', 'today'],
    ['an object', model.jsonObject(), { any: 1 }, { any: 1 }, 'any'],
    ['an enumeration', model.oneOf(Color), 'sky-blue', 'sky-blue', 'SKY_BLUE'],
    ['a list', model.list(model.id()), ['a', 'b'], ['a', 'b'], ['a', null]],
    ['a nested shape', model.object(Size), { widthCm: 1, measuredAt: null }, undefined, {}],
    [
      'a list of shapes',
      model.list(model.object(Size)),
      [{ widthCm: 1, measuredAt: new Date(0) }],
      [{ widthCm: 1, measuredAt: '1970-01-01T00:00:00.000Z' }],
      [{ widthCm: 1, measuredAt: null, heightCm: 2 }],
    ],
  ])('%s is published as JSON of its type only', (_, field, value, published, invalid) => {
    expect(publish(field, value)).toEqual(published ?? value)
    expect(() => publish(field, invalid)).toThrow('/value')
    expect(() => publish(field, null)).toThrow('/value')
    expect(publish(field.orNull(), null)).toBe(null)
    expect(publish(field.orNull(), value)).toEqual(published ?? value)
  })

  test('has the fields that are declared inEvents, under their names in code', () => {
    const publishKite = publisherOf({
      kiteId: model.id().inEvents(),
      edition: model.integer().named('version').inEvents(),
      owner: model.string(),
      contentHash: model.stored<string>(),
    })
    const kite = { kiteId: 'kite_1', edition: 2, owner: 'Ada', contentHash: 'x' }
    expect(publishKite(kite)).toEqual({ kiteId: 'kite_1', edition: 2 })
  })

  test('must have every declared field', () => {
    const publishKite = publisherOf({ kiteId: model.id().inEvents() })
    expect(() => publishKite({})).toThrow('kiteId')
  })
})

describe('A field that cannot be part of events', () => {
  const Union = Symbol('Union')
  test.each([
    ['"float"', model.float()],
    ['"money"', model.money()],
    ['"amount"', model.amount()],
    ['"base64"', model.base64()],
    ['"stored"', model.stored()],
    ['"stored"', model.object(model.shape('Part', 'A part.', { hidden: model.stored() }))],
    ['a symbol', model.graphType(() => Union), 'undefined'],
  ])('of the type %s is rejected when events are declared', (name, field, type = name) => {
    const Kite = model.entity('Kite', 'kiteId', 'A kite.', { value: field.inEvents() })
    const message = `A field of this type cannot be part of events: ${type}.`
    expect(() => eventShapeOf(Kite)).toThrow(message)
    const unpublished = model.entity('Kite', 'kiteId', 'A kite.', { value: field })
    expect(eventShapeOf(unpublished)).toMatchObject({ properties: {} })
  })
})
