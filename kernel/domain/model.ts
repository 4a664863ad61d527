/**
 * The language in which an area declares its model: enumerations, and shapes of named fields. A
 * shape is declared once; its TypeScript type, its GraphQL type, its database columns and the data
 * of its events are derived from the declaration.
 */
import type { AmountSent } from './money.ts'

/** The values of an enumeration in wire spelling, such as `under-review`. */
export interface Enumeration<Value extends string = string> {
  name: string
  description: string
  values: readonly Value[]
  descriptions: Readonly<Record<Value, string>>
}

/** Declares an enumeration. `descriptions` has the values, in order, each with its description. */
export function enumeration<Value extends string>(
  name: string,
  description: string,
  descriptions: Readonly<Record<Value, string>>,
): Enumeration<Value> {
  return { name, description, values: Object.keys(descriptions) as Value[], descriptions }
}

/** The types of single values. `label` and `text` are validated in inputs, `string` is not. */
export type ScalarKind =
  | 'id'
  | 'string'
  | 'label'
  | 'text'
  | 'versionLabel'
  | 'boolean'
  | 'integer'
  | 'float'
  | 'bigInt'
  | 'decimal'
  | 'money'
  | 'amount'
  | 'currency'
  | 'date'
  | 'instant'
  | 'jsonObject'
  | 'base64'
  | 'stored'

/** The GraphQL connection of a shape: a list in pages. */
export interface Connection {
  connectionOf: Shape
}

/**
 * A type that a field can have: a scalar, an enumeration, a shape, a connection, or a function that
 * returns a type of the graph.
 */
export type FieldType = ScalarKind | Enumeration | Shape | Connection | (() => unknown)

interface FieldOptions {
  isList?: boolean
  isNullable?: boolean
  isInEvents?: boolean
  isActor?: boolean
  isForBank?: boolean
  graphName?: string
  defaultValue?: unknown
}

declare const valueType: unique symbol

/** The declaration of a field. `Value` is the TypeScript type of its values. */
export class Field<Value> {
  declare readonly [valueType]: Value
  readonly type: FieldType
  readonly description: string | undefined
  readonly options: FieldOptions

  constructor(type: FieldType, description?: string, options: FieldOptions = {}) {
    this.type = type
    this.description = description
    this.options = options
  }

  /** Allows null. In an input, the member may also be omitted. */
  orNull(): Field<Value | null> {
    return this.#with({ isNullable: true })
  }

  /** Includes the field in the data of the record's events. */
  inEvents(): Field<Value> {
    return this.#with({ isInEvents: true })
  }

  /**
   * Says that the value names who acted, who may be an employee. In the graph, delegated users get
   * null, unless it is the user or the user's party; events and records always have the value.
   */
  namesActor(): Field<Value> {
    return this.#with({ isActor: true })
  }

  /** Hides the value from delegated users, who get null in the graph; events and records have it. */
  forBank(): Field<Value> {
    return this.#with({ isForBank: true })
  }

  /** Gives the field another name in the graph. */
  named(graphName: string): Field<Value> {
    return this.#with({ graphName })
  }

  /** Sets the value of an input member that is omitted. */
  defaultsTo(defaultValue: NonNullable<Value>): Field<NonNullable<Value>> {
    return this.#with({ defaultValue })
  }

  /** Narrows the TypeScript type of the values. */
  as<Narrowed>(): Field<Narrowed> {
    return this.#with({})
  }

  #with(options: FieldOptions): Field<any> {
    return new Field(this.type, this.description, { ...this.options, ...options })
  }
}

export type Fields = Readonly<Record<string, Field<any>>>

type Role = 'object' | 'input'

/** A named list of fields: a record, a value within a record, a result or an input. */
export interface Shape<Members extends Fields = Fields, ShapeRole extends Role = Role> {
  name: string
  description: string | undefined
  fields: Members
  role: ShapeRole
  /** The fields that identify an entity in the graph; empty for other shapes. */
  keys: readonly string[]
  /** Whether this subgraph can resolve the entity by its keys. */
  isResolvable: boolean
}

type ValuesOf<Members extends Fields> = {
  [Name in keyof Members]: Members[Name][typeof valueType]
}

type NullableNames<Values> = {
  [Name in keyof Values]: null extends Values[Name] ? Name : never
}[keyof Values]

type WithOptionalMembers<Values, Optional extends keyof Values = NullableNames<Values>> = {
  [Name in Exclude<keyof Values, Optional>]: Values[Name]
} & { [Name in Optional]?: Values[Name] }

/** Flattens a derived type, so that editors show its members rather than the type expression. */
type Shown<Type> = Type extends infer Members ? { [Name in keyof Members]: Members[Name] } : never

type TypeOfShape<Members extends Fields, ShapeRole> = Shown<
  ShapeRole extends 'input' ? WithOptionalMembers<ValuesOf<Members>> : ValuesOf<Members>
>

/**
 * The TypeScript type of a declaration: the union of an enumeration's values, or an object with the
 * fields of a shape. Nullable members of an input may be omitted.
 */
export type TypeOf<Declared> =
  Declared extends Enumeration<infer Value>
    ? Value
    : Declared extends Shape<infer Members, infer ShapeRole>
      ? TypeOfShape<Members, ShapeRole>
      : never

function declare<Members extends Fields, ShapeRole extends Role>(
  role: ShapeRole,
  name: string,
  description: string | undefined,
  fields: Members,
  keys: readonly string[] = [],
  isResolvable = true,
): Shape<Members, ShapeRole> {
  return { name, description, fields, role, keys, isResolvable }
}

/** Declares a value within a record, or a result. */
export function shape<Members extends Fields>(name: string, description: string, fields: Members) {
  return declare('object', name, description, fields)
}

/** Declares an input. */
export function input<Members extends Fields>(name: string, description: string, fields: Members) {
  return declare('input', name, description, fields)
}

/**
 * Declares an entity, which other subgraphs can refer to by its keys. `keys` has the names of the
 * key fields, separated by blanks. Only the subgraph that owns the entity describes it.
 */
export function entity<Members extends Fields>(
  name: string,
  keys: string,
  description: string | undefined,
  fields: Members,
  options: { isResolvable?: boolean } = {},
) {
  return declare('object', name, description, fields, keys.split(' '), options.isResolvable)
}

/** Declares a reference to an entity of another subgraph. All its fields are keys. */
export function reference<Members extends Fields>(name: string, fields: Members) {
  return declare('object', name, undefined, fields, Object.keys(fields), false)
}

/** Declares the connection of a shape: its list in pages. */
export function connectionOf(node: Shape): Connection {
  return { connectionOf: node }
}

const scalar =
  <Value>(kind: ScalarKind) =>
  (description?: string): Field<Value> =>
    new Field(kind, description)

/** An ID of 1 to 64 characters. */
export const id = scalar<string>('id')
/** Any text. In an input, use `label` or `text`. */
export const string = scalar<string>('string')
/** A name or a classification of 1 to 64 characters. */
export const label = scalar<string>('label')
/** Text that a person wrote. */
export const text = scalar<string>('text')
/** A version label of a product, such as `2026.1`. */
export const versionLabel = scalar<string>('versionLabel')
export const boolean = scalar<boolean>('boolean')
export const integer = scalar<number>('integer')
export const float = scalar<number>('float')
export const bigInt = scalar<bigint>('bigInt')
/** A decimal number as a string, such as `12.50`. */
export const decimal = scalar<string>('decimal')
/** An amount with its currency, as decimal strings. */
export const money = scalar<{ amount: string; currency: string }>('money')
/** An amount in a request, with or without its currency. */
export const amount = scalar<AmountSent>('amount')
/** An ISO 4217 currency code. */
export const currency = scalar<string>('currency')
/** A calendar date, YYYY-MM-DD. */
export const date = scalar<string>('date')
/** A point in time. */
export const instant = scalar<Date>('instant')
export const jsonObject = scalar<object>('jsonObject')
export const base64 = scalar<string>('base64')

/** A value of an enumeration. */
export function oneOf<Value extends string>(type: Enumeration<Value>, description?: string) {
  return new Field<Value>(type, description)
}

/** A value with the fields of a shape. */
export function object<Members extends Fields, ShapeRole extends Role>(
  type: Shape<Members, ShapeRole>,
  description?: string,
) {
  return new Field<TypeOfShape<Members, ShapeRole>>(type, description)
}

/** A field that is stored and not part of the graph. */
export const stored = <Value>(): Field<Value> => new Field('stored')

/** Returns the fields of a shape as stored fields, for a record that shows them in another type. */
export function storedFields<Members extends Fields>(declared: Shape<Members>): Members {
  const names = Object.keys(declared.fields)
  return Object.fromEntries(names.map((name) => [name, stored()])) as unknown as Members
}

/** A list of values, such as `list(id(), 'The IDs of …')`. */
export function list<Value>(item: Field<Value>, description?: string) {
  return new Field<readonly Value[]>(item.type, description, { isList: true })
}

/** A value of a type that the area declares in its graph, such as a union. */
export function graphType<Value>(type: () => unknown, description?: string) {
  return new Field<Value>(type, description)
}
