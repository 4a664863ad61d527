import { describe, expect, expectTypeOf, test } from 'vitest'
import * as model from '../../../kernel/domain/model.ts'
import type { Field, TypeOf } from '../../../kernel/domain/model.ts'
import type { AmountSent } from '../../../kernel/domain/money.ts'

const Status = model.enumeration('LetterStatus', 'The status of a letter.', {
  'in-review': 'Somebody reads the letter.',
  sent: 'The letter was sent.',
})
type Status = TypeOf<typeof Status>

const Stamp = model.shape('Stamp', 'A postage stamp.', {
  value: model.money('The value of the stamp.'),
  usedAt: model.instant('When the stamp was used.').orNull(),
})
const Letter = model.entity('Letter', 'letterId partyId', 'A letter.', {
  letterId: model.id('The ID of the letter.'),
  partyId: model.id('The ID of the party.'),
  status: model.oneOf(Status, 'The status of the letter.'),
  stamps: model.list(model.object(Stamp), 'The stamps on the letter.'),
  ...model.storedFields(Stamp),
  version: model.stored<number>(),
})
const SendLetterInput = model.input('SendLetterInput', 'A letter to send.', {
  letterId: model.id('The ID of the letter.'),
  reason: model.text('Why it is sent.').orNull(),
  copies: model.integer('The number of copies.').orNull().defaultsTo(1),
  status: model.oneOf(Status, 'The status of the letter.').orNull(),
})

describe('The TypeScript type of a declaration', () => {
  test('of an enumeration is the union of its values', () => {
    expectTypeOf<Status>().toEqualTypeOf<'in-review' | 'sent'>()
    expectTypeOf(Status.values).toEqualTypeOf<readonly Status[]>()
  })

  test('of an entity has a property for each field, nested shapes and lists included', () => {
    interface Stamped {
      value: { amount: string; currency: string }
      usedAt: Date | null
    }
    expectTypeOf<TypeOf<typeof Stamp>>().toEqualTypeOf<Stamped>()
    expectTypeOf<TypeOf<typeof Letter>>().toEqualTypeOf<{
      letterId: string
      partyId: string
      status: Status
      stamps: readonly Stamped[]
      value: { amount: string; currency: string }
      usedAt: Date | null
      version: number
    }>()
  })

  test('of an input makes nullable members optional, but not those with a default value', () => {
    expectTypeOf<TypeOf<typeof SendLetterInput>>().toEqualTypeOf<{
      letterId: string
      copies: number
      reason?: string | null
      status?: Status | null
    }>()
  })

  test('of a reference has its keys', () => {
    const Party = model.reference('Party', { partyId: model.id() })
    expectTypeOf<TypeOf<typeof Party>>().toEqualTypeOf<{ partyId: string }>()
  })

  test('of each kind of scalar is the type of its values in code', () => {
    expectTypeOf(model.id).returns.toEqualTypeOf<Field<string>>()
    expectTypeOf(model.boolean).returns.toEqualTypeOf<Field<boolean>>()
    expectTypeOf(model.integer).returns.toEqualTypeOf<Field<number>>()
    expectTypeOf(model.bigInt).returns.toEqualTypeOf<Field<bigint>>()
    expectTypeOf(model.decimal).returns.toEqualTypeOf<Field<string>>()
    expectTypeOf(model.amount).returns.toEqualTypeOf<Field<AmountSent>>()
    expectTypeOf(model.date).returns.toEqualTypeOf<Field<string>>()
    expectTypeOf(model.instant).returns.toEqualTypeOf<Field<Date>>()
  })

  test('follows orNull, as and defaultsTo', () => {
    expectTypeOf(model.id().orNull()).toEqualTypeOf<Field<string | null>>()
    expectTypeOf(model.string().as<'a' | 'b'>()).toEqualTypeOf<Field<'a' | 'b'>>()
    expectTypeOf(model.integer().orNull().defaultsTo(1)).toEqualTypeOf<Field<number>>()
    expectTypeOf(model.id().inEvents().named('key')).toEqualTypeOf<Field<string>>()
    expectTypeOf(model.list(model.id()).orNull()).toEqualTypeOf<Field<readonly string[] | null>>()
  })
})

describe('The options of a field', () => {
  const scalars = {
    id: model.id,
    string: model.string,
    label: model.label,
    text: model.text,
    versionLabel: model.versionLabel,
    boolean: model.boolean,
    integer: model.integer,
    float: model.float,
    bigInt: model.bigInt,
    decimal: model.decimal,
    money: model.money,
    amount: model.amount,
    currency: model.currency,
    date: model.date,
    instant: model.instant,
    jsonObject: model.jsonObject,
    base64: model.base64,
  }

  test.each(Object.entries(scalars))('%s declares a field of its kind', (kind, declare) => {
    const field = declare('Some value.')
    expect([field.type, field.description, field.options]).toEqual([kind, 'Some value.', {}])
    expect(declare().description).toBe(undefined)
  })

  const changes = [
    ['orNull', (field: Field<string>) => field.orNull(), { isNullable: true }],
    ['inEvents', (field: Field<string>) => field.inEvents(), { isInEvents: true }],
    ['named', (field: Field<string>) => field.named('other'), { graphName: 'other' }],
    ['defaultsTo', (field: Field<string>) => field.defaultsTo('x'), { defaultValue: 'x' }],
    ['as', (field: Field<string>) => field.as<'x'>(), {}],
  ] as const
  const allOptions = {
    isList: true,
    isNullable: false,
    isInEvents: false,
    graphName: 'first',
    defaultValue: 'first',
  }

  test.each(changes)(
    '%s changes one option of a copy and keeps the others',
    (_, change, option) => {
      const field = new model.Field<string>('label', 'A label.', allOptions)
      const changed = change(field)
      expect(changed).toBeInstanceOf(model.Field)
      expect([changed.type, changed.description]).toEqual(['label', 'A label.'])
      expect(changed.options).toEqual({ ...allOptions, ...option })
      expect(field.options).toEqual(allOptions)
    },
  )

  test('can be set in any order', () => {
    const options = { isNullable: true, isInEvents: true, graphName: 'key' }
    expect(model.id().orNull().inEvents().named('key').options).toEqual(options)
    expect(model.id().named('key').inEvents().orNull().options).toEqual(options)
  })

  test('a list has the type of its items and none of their options', () => {
    const field = model.list(model.oneOf(Status, 'One status.').orNull().inEvents(), 'All of them.')
    expect([field.type, field.description]).toEqual([Status, 'All of them.'])
    expect(field.options).toEqual({ isList: true })
  })
})

describe('Shapes', () => {
  test('an enumeration has its values in the order of their descriptions', () => {
    expect(Status.values).toEqual(['in-review', 'sent'])
    expect(Status.descriptions.sent).toBe('The letter was sent.')
  })

  test('an entity has its keys and can be resolved, unless declared otherwise', () => {
    expect(Letter).toMatchObject({
      name: 'Letter',
      description: 'A letter.',
      role: 'object',
      keys: ['letterId', 'partyId'],
      isResolvable: true,
    })
    const options = { isResolvable: false }
    const elsewhere = model.entity('Letter', 'letterId', undefined, {}, options)
    expect(elsewhere.isResolvable).toBe(false)
  })

  test('a reference has all its fields as keys and cannot be resolved', () => {
    const fields = { partyId: model.id(), role: model.string() }
    expect(model.reference('Party', fields)).toEqual({
      name: 'Party',
      description: undefined,
      fields,
      role: 'object',
      keys: ['partyId', 'role'],
      isResolvable: false,
    })
  })

  test('values and inputs have no keys', () => {
    expect([Stamp.role, Stamp.keys]).toEqual(['object', []])
    expect([SendLetterInput.role, SendLetterInput.keys]).toEqual(['input', []])
  })

  test('storedFields has a stored field for each field of the shape', () => {
    const fields = model.storedFields(Stamp)
    expect(Object.keys(fields)).toEqual(['value', 'usedAt'])
    for (const { type, options } of Object.values(fields)) {
      expect([type, options]).toEqual(['stored', {}])
    }
    expect(Stamp.fields.value.type).toBe('money')
  })

  test('a connection has the shape of its nodes', () => {
    expect(model.connectionOf(Letter)).toEqual({ connectionOf: Letter })
  })
})
