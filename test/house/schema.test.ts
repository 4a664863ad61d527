import { readFileSync } from 'node:fs'
import {
  buildSchema,
  getNamedType,
  isNonNullType,
  isObjectType,
  Kind,
  parse,
  type GraphQLField,
} from 'graphql'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { apiSchemaPath, supergraphPath } from '../../gateway/compose.ts'
import { projectRoot } from '../../kernel/environment/root.ts'
import { scopeSentence, unknownIdSentence } from '../../kernel/graph/schema-rules.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'

interface Member {
  typeName: string
  name: string
  field: GraphQLField<unknown, unknown>
  scope: string | undefined
}

const schema = buildSchema(readFileSync(apiSchemaPath, 'utf8'))
const supergraph = parse(readFileSync(supergraphPath, 'utf8'))

/** What the supergraph declares: the scope of each `Type.field`, and the types with a key. */
const scopes = new Map<string, string>()
const entities = new Set<string>()
for (const type of supergraph.definitions) {
  if (type.kind !== Kind.OBJECT_TYPE_DEFINITION) continue
  const hasKey = type.directives?.some(
    (each) =>
      each.name.value === 'join__type' && each.arguments?.some(({ name }) => name.value === 'key'),
  )
  if (hasKey) entities.add(type.name.value)
  for (const field of type.fields ?? []) {
    const declared = field.directives?.find(({ name }) => name.value === 'scope')
    const value = declared?.arguments?.[0]?.value
    if (value?.kind === Kind.STRING)
      scopes.set(`${type.name.value}.${field.name.value}`, value.value)
  }
}
const members: Member[] = Object.values(schema.getTypeMap())
  .filter(isObjectType)
  .filter(({ name }) => !name.startsWith('__'))
  .flatMap((type) =>
    Object.values(type.getFields()).map((field) => {
      const { name } = field
      return { typeName: type.name, name, field, scope: scopes.get(`${type.name}.${name}`) }
    }),
  )
const nameOf = ({ typeName, name }: Member) => `${typeName}.${name}`
const isOperation = ({ typeName }: Member) => /^(Query|Mutation|Subscription)$/.test(typeName)
const isNonNull = ({ field }: Member) => isNonNullType(field.type)

describe('Nullability (an error nulls only its own field)', () => {
  const nested = members.filter((each) => !isOperation(each))

  test('every query is nullable', () => {
    const queries = members.filter(({ typeName }) => typeName === 'Query')
    expect(queries.length).toBeGreaterThan(90)
    expect(queries.filter(isNonNull).map(nameOf)).toEqual([])
  })

  test('every field that requires a scope of its own is nullable', () => {
    const own = nested.filter(({ scope }) => scope)
    expect(own.length).toBeGreaterThan(30)
    expect(own.filter(isNonNull).map(nameOf)).toEqual([])
  })

  test('every field whose arguments can be rejected is nullable', () => {
    const withArguments = nested.filter(({ field }) => field.args.length > 0)
    expect(withArguments.length).toBeGreaterThan(30)
    expect(withArguments.filter(isNonNull).map(nameOf)).toEqual([])
  })

  test('every field that returns an entity is nullable, except the nodes of a connection', () => {
    const leading = nested
      .filter(({ typeName }) => !/(Connection|Edge)$/.test(typeName))
      .filter(({ field }) => entities.has(getNamedType(field.type).name))
    expect(leading.length).toBeGreaterThan(60)
    expect(leading.filter(isNonNull).map(nameOf)).toEqual([])
  })
})

describe('Descriptions in the schema', () => {
  test('operations and fields end with their declared scope and name no other', () => {
    const wrong = members.filter(({ typeName, field, scope }) => {
      const { description = '' } = field
      const sentence = scopeSentence(typeName, scope)
      if (sentence) return !description?.endsWith(sentence) || count(description, 'Requires') !== 1
      return /Requires (the scope|a token)/.test(description ?? '')
    })
    expect(scopes.size).toBeGreaterThan(300)
    expect(wrong.map(nameOf)).toEqual([])
  })

  test('every named scope exists', () => {
    const named = [...readFileSync(apiSchemaPath, 'utf8').matchAll(/the scope `([^`]*)`/g)]
    expect(named.length).toBeGreaterThan(300)
    const known = new Set<string>(everyScope)
    expect(named.map(([, scope]) => scope!).filter((scope) => !known.has(scope))).toEqual([])
  })

  test('queries by id say what an unknown id returns', () => {
    const lookups = members.filter(
      ({ typeName, field }) =>
        typeName === 'Query' &&
        isObjectType(field.type) &&
        !field.type.name.endsWith('Connection') &&
        field.args.some(({ type }) => String(type) === 'ID!'),
    )
    expect(lookups.length).toBeGreaterThan(35)
    const silent = lookups.filter(({ field }) => !field.description?.includes(unknownIdSentence))
    expect(silent.map(nameOf)).toEqual([])
  })
})

test('decision record 0087 states these rules', () => {
  const page = join(projectRoot, 'docs/decisions/0087-a-failure-costs-one-field.md')
  expect(readFileSync(page, 'utf8')).toContain('unknown id')
})

function count(text: string | null | undefined, word: string): number {
  return (text ?? '').split(word).length - 1
}
