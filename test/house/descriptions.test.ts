import { readFileSync } from 'node:fs'
import {
  buildSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedDirective,
  isSpecifiedScalarType,
  type GraphQLNamedType,
} from 'graphql'
import { expect, test } from 'vitest'
import { apiSchemaPath } from '../../gateway/compose.ts'

interface Described {
  name: string
  description?: string | null
}

const schema = buildSchema(readFileSync(apiSchemaPath, 'utf8'))
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
)
const directives = schema.getDirectives().filter((each) => !isSpecifiedDirective(each))

test('every member of the public schema is described in whole sentences', () => {
  const described = [
    ...types.flatMap((type) => membersOf(type).map((member) => ({ ...member, group: type.name }))),
    ...directives.flatMap(({ name, description, args }) =>
      [{ name: '', description }, ...args].map((each) => ({ ...each, group: `@${name}` })),
    ),
  ]
  expect(described.length).toBeGreaterThan(4000)
  const groups = new Map<string, string[]>()
  for (const { group, name, description } of described) {
    const fault = faultOf(description)
    if (fault) groups.set(group, [...(groups.get(group) ?? []), `  ${name || 'type'}: ${fault}`])
  }
  const count = [...groups.values()].flat().length
  const list = [...groups].flatMap(([group, lines]) => [group, ...lines]).join('\n')
  if (count > 0) throw new Error(`${count} members need a description in whole sentences:\n${list}`)
})

/** A type with its fields or values, and the arguments of its fields. */
function membersOf(type: GraphQLNamedType): Described[] {
  const itself = { name: '', description: type.description }
  if (isEnumType(type)) return [itself, ...type.getValues()]
  if (isInputObjectType(type)) return [itself, ...Object.values(type.getFields())]
  if (!isObjectType(type) && !isInterfaceType(type)) return [itself]
  const fields = Object.values(type.getFields()).flatMap((field) => [
    field,
    ...field.args.map(({ name, description }) => ({
      name: `${field.name}(${name}:)`,
      description,
    })),
  ])
  return [itself, ...fields]
}

/** A sentence starts with a capital letter, a digit or a code word, and ends with a period. */
function faultOf(description: string | null | undefined): string | undefined {
  const text = description?.trim()
  if (!text) return 'no description'
  if (!/^[\p{Lu}\d`]/u.test(text)) return `does not start like a sentence: ${text}`
  if (!/\.[)"”’]?$/.test(text)) return `does not end with a period: ${text}`
  return undefined
}
