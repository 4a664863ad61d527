/**
 * A plugin of GraphQL Code Generator. Generates what the cache of a client must know about the
 * schema: the keys of the entities, and the types of each union and interface.
 */
const { readFileSync } = require('node:fs')
const { isAbstractType, parse, visit } = require('graphql')

module.exports = {
  plugin(schema, _documents, { supergraph }) {
    const possibleTypes = Object.fromEntries(
      Object.values(schema.getTypeMap())
        .filter((type) => isAbstractType(type) && !type.name.startsWith('__'))
        .map((type) => [type.name, schema.getPossibleTypes(type).map(({ name }) => name)]),
    )
    return [
      '/** The fields that identify an entity, by type. */',
      `export const keyFields: Record<string, readonly string[]> = ${json(keysOf(supergraph))}`,
      '',
      '/** The types of each union and interface. */',
      `export const possibleTypes: Record<string, string[]> = ${json(possibleTypes)}`,
    ].join('\n')
  },
}

const json = (value) => JSON.stringify(value, null, 2)

function keysOf(supergraph) {
  const keys = {}
  visit(parse(readFileSync(supergraph, 'utf8')), {
    ObjectTypeDefinition({ name, directives }) {
      for (const { name: directive, arguments: values } of directives) {
        const key = values.find((argument) => argument.name.value === 'key')
        if (directive.value === 'join__type' && key) keys[name.value] ??= key.value.value.split(' ')
      }
      return false
    },
  })
  return keys
}
