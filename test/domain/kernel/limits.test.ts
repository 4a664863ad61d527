import { buildSchema } from 'graphql'
import { describe, expect, test } from 'vitest'
import { DocumentReader, limits, requireStorable } from '../../../gateway/limits.ts'

const schema = buildSchema(`
  type Query { node: Node name: String }
  type Mutation { a: Int b: Int }
  type Node { node: Node name: String say(text: String): String }
`)
const read = (text: string, name?: string) => new DocumentReader(schema).read(text, name)
const nest = (depth: number) => '{node'.repeat(depth) + '{name}' + '}'.repeat(depth)

/** Each fragment spreads the next one twice: 2^n fields from n short lines. */
function doubling(levels: number): string {
  const lines = Array.from(
    { length: levels },
    (_, level) => `fragment F${level} on Node{node{...F${level + 1} ...F${level + 1}}}`,
  )
  return `{node{...F0}} ${lines.join(' ')} fragment F${levels} on Node{name}`
}

describe('limits on the cost of a document, checked in linear time', () => {
  test.each([
    ['600 levels', nest(600)],
    [`${limits.depth + 1} levels`, nest(limits.depth)],
    ['1,000 aliases', `{${Array.from({ length: 1000 }, (_, at) => `a${at}:name `).join('')}}`],
    ['31 aliases', `{node{${Array.from({ length: 31 }, (_, at) => `a${at}:name `).join('')}}}`],
    ['fragments that double, in 1 KB', doubling(25)],
    ['fragments that double, within the depth', doubling(12)],
    ['21 root fields', `{${'name '.repeat(21)}}`],
    ['two mutations', 'mutation { a b }'],
    ['two mutations in a fragment', 'mutation { ...F } fragment F on Mutation { a b }'],
    ['two mutations in inline fragments', 'mutation { a ... { ... on Mutation { b } } }'],
    [
      'two mutations in nested fragments',
      'mutation { ...F } fragment F on Mutation { a ...G } fragment G on Mutation { b }',
    ],
    ['21 root fields in a fragment', `{...F} fragment F on Query {${'name '.repeat(21)}}`],
    ['51 directives', `{name ${'@include(if:true)'.repeat(51)}}`],
    ['too many tokens', `{name ${'name '.repeat(2100)}}`],
    ['too many characters', `{name} #${'x'.repeat(20_000)}`],
  ])('rejects %s', (_what, text) => {
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' }))
  })

  test('accepts one root field in fragments, and many fields below it', () => {
    const texts = [
      'mutation { ... on Mutation { ...F } } fragment F on Mutation { a }',
      `{...F} fragment F on Query {node {${'name '.repeat(21)}}}`,
    ]
    for (const text of texts) expect(read(text).document.definitions).toHaveLength(2)
  })

  test('leaves fragment cycles to GraphQL validation and terminates', () => {
    const text = '{node{...A}} fragment A on Node{...B} fragment B on Node{...A}'
    expect(() => read(text)).toThrow(expect.objectContaining({ code: 'GRAPHQL_VALIDATION_FAILED' }))
  })
})

test('syntax errors and schema violations have codes of their own', () => {
  expect(() => read('{')).toThrow(expect.objectContaining({ code: 'GRAPHQL_PARSE_FAILED' }))
  expect(() => read('{nome}')).toThrow(
    expect.objectContaining({ code: 'GRAPHQL_VALIDATION_FAILED' }),
  )
})

test('a literal or variable that cannot be stored is rejected before it reaches a resolver', () => {
  expect(() => read('{node{say(text:"\\u0000")}}')).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  )
  expect(() => requireStorable({ a: 'x\0' })).toThrow(
    expect.objectContaining({ code: 'VALIDATION_FAILED' }),
  )
  expect(() => requireStorable({ a: 'x'.repeat(limits.variablesBytes) })).toThrow(
    expect.objectContaining({ code: 'QUERY_TOO_COMPLEX' }),
  )
})

test('ordinary documents are accepted and parsed once', () => {
  const reader = new DocumentReader(schema)
  const text = 'query Q {node{node{name}}}'
  expect(reader.read(text)).toBe(reader.read(text))
  expect(reader.read(text, 'Q')).toMatchObject({ name: 'Q' })
})
