import 'reflect-metadata'
import {
  Directive,
  Field as GraphField,
  ID,
  InputType,
  Int,
  Float,
  ObjectType,
  type ClassType,
} from 'type-graphql'
import type { Connection, Enumeration, Field, ScalarKind, Shape } from '../domain/model.ts'
import { connectionClass } from './connection.ts'
import { wireEnum } from './enums.ts'
import { MoneyInput, MoneyType } from './money.types.ts'
import * as scalars from './scalars.ts'

const scalarTypes: Readonly<Record<Exclude<ScalarKind, 'money' | 'stored'>, unknown>> = {
  id: ID,
  string: String,
  label: scalars.LabelScalar,
  text: scalars.TextScalar,
  versionLabel: scalars.VersionLabelScalar,
  boolean: Boolean,
  integer: Int,
  float: Float,
  bigInt: scalars.BigIntScalar,
  decimal: scalars.DecimalScalar,
  amount: scalars.AmountScalar,
  currency: scalars.CurrencyScalar,
  date: scalars.LocalDateScalar,
  instant: scalars.DateTimeScalar,
  jsonObject: scalars.JsonObjectScalar,
  base64: scalars.Base64Scalar,
}

/** A type of the graph: a declaration of the model, a class, a scalar, or a list of one of them. */
export type Declared = object | readonly [object]

/**
 * Returns the type of the graph for a declaration of the model, in the form that type-graphql
 * expects. Everything that is not a declaration is returned unchanged. A declaration has one type,
 * however often it is used.
 */
export function graphTypeOf(declared: Declared): any {
  if (Array.isArray(declared)) return [graphTypeOf(declared[0] as object)]
  // A union is a symbol, and a class a function.
  if (typeof declared !== 'object') return declared
  if (isShape(declared)) return classOf(declared)
  if (isEnumeration(declared)) return enumOf(declared)
  if (isConnection(declared)) return connectionOf(declared)
  return declared
}

const deferredTypes: (() => Declared)[] = []

/**
 * Returns the type of the graph behind a thunk, in the form that type-graphql expects. The thunk is
 * called when the schema is built, so that declarations can refer to each other.
 */
export function deferredTypeOf(type: () => Declared): () => never {
  deferredTypes.push(type)
  return () => graphTypeOf(type()) as never
}

/** Creates the types behind all thunks. Call it before the schema is built. */
export function createReferencedTypes(): void {
  // A type that is created can add thunks of its own, which the loop reaches as well.
  for (const type of deferredTypes) graphTypeOf(type())
  deferredTypes.splice(0)
}

const isShape = (declared: object): declared is Shape => 'fields' in declared && 'role' in declared
const isConnection = (declared: object): declared is Connection => 'connectionOf' in declared
const isEnumeration = (declared: object): declared is Enumeration =>
  'values' in declared && 'descriptions' in declared

const types = new WeakMap<object, unknown>()

/** Returns the type that was created for a declaration earlier, or creates it. */
function once<Type>(declared: object, create: () => Type): Type {
  if (!types.has(declared)) types.set(declared, create())
  return types.get(declared) as Type
}

/** A field that delegated users do not see, unless it names them as the actor. */
interface HiddenField {
  type: string
  field: string
  isActor: boolean
}

/** The fields that are declared with `namesActor` or `forBank`. */
export const hiddenFields: HiddenField[] = []

/** Returns the class of a shape, with the decorators that its declaration stands for. */
export function classOf(shape: Shape): ClassType<object> {
  return once(shape, () => {
    const { name, description, role } = shape
    const Class = { [name]: class {} }[name]!
    const decorate = role === 'input' ? InputType : ObjectType
    decorate(name, { ...(description && { description }) })(Class)
    if (shape.keys.length > 0) {
      const resolvable = shape.isResolvable ? '' : ', resolvable: false'
      Directive(`@key(fields: "${shape.keys.join(' ')}"${resolvable})`)(Class)
    }
    for (const [field, declared] of Object.entries(shape.fields)) {
      if (declared.type === 'stored') continue
      addField(Class, field, declared, role)
      const { isActor = false, isForBank = false } = declared.options
      if (isActor || isForBank) hiddenFields.push({ type: name, field, isActor })
    }
    return Class as ClassType<object>
  })
}

/** Returns what the description of a field says about delegated users. */
function hiddenNote({ isActor, isForBank }: Field<unknown>['options']): string | null {
  if (isForBank) return 'Always null for delegated users.'
  return isActor ? "For delegated users, null unless it was the user or the user's party." : null
}

function addField(
  Class: object & { prototype: object },
  name: string,
  field: Field<unknown>,
  role: Shape['role'],
) {
  const { options } = field
  const note = hiddenNote(options)
  const description = note ? `${field.description} ${note}` : field.description
  const type = fieldTypeOf(field, role)
  GraphField(() => (options.isList ? [type()] : type()) as never, {
    ...(description && { description }),
    ...((options.isNullable || note !== null) && { nullable: true }),
    ...(options.graphName && { name: options.graphName }),
    ...(options.defaultValue !== undefined && { defaultValue: options.defaultValue }),
    // A field that is called as its property needs no resolver.
    ...(role !== 'input' && { simple: !options.graphName }),
  })(Class.prototype, name)
}

/** Creates the type of a field at once, as the schema must know it, unless it is a thunk. */
function fieldTypeOf({ type }: Field<unknown>, role: Shape['role']): () => unknown {
  if (typeof type === 'function') return deferredTypeOf(type as () => Declared)
  if (type === 'money') return () => (role === 'input' ? MoneyInput : MoneyType)
  const created: unknown =
    typeof type === 'string' ? scalarTypes[type as keyof typeof scalarTypes] : graphTypeOf(type)
  return () => created
}

/** Returns the type of an argument that is declared as a field. */
export function argumentTypeOf(field: Field<unknown>): Declared {
  const type = fieldTypeOf(field, 'input')() as object
  return field.options.isList ? [type] : type
}

const enumOf = (declared: Enumeration): object =>
  once(declared, () =>
    wireEnum(declared.name, declared.values, declared.description, declared.descriptions),
  )

const connections = new WeakMap<Shape, ClassType<object>>()

function connectionOf({ connectionOf: shape }: Connection): ClassType<object> {
  const node = classOf(shape)
  if (!connections.has(shape))
    connections.set(
      shape,
      connectionClass(shape.name, () => node),
    )
  return connections.get(shape)!
}
