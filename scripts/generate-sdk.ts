/**
 * Generates the types and the table of the documented operations for the client package, from its
 * OpenAPI document.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { compile } from 'json-schema-to-typescript'

type JsonSchema = Record<string, unknown>
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  schema: JsonSchema
}
interface Operation {
  operationId: string
  summary: string
  parameters: Parameter[]
  requestBody?: { required: boolean }
  responses: Record<string, { content: Record<string, { schema: JsonSchema }> }>
}
interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, JsonSchema> }
}

const folder = fileURLToPath(new URL('../sdk/', import.meta.url))
const header = '// Generated from openapi.json: npm run generate:code.\n\n'

const document = JSON.parse(readFileSync(join(folder, 'openapi.json'), 'utf8')) as OpenApi
write('operations', await operationsModule())
write('problem-codes', problemCodesModule())

function write(name: string, content: string): void {
  writeFileSync(join(folder, 'src', `${name}.generated.ts`), header + content)
}

async function operationsModule(): Promise<string> {
  const { paths, components } = document
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method })),
  )
  const queries = Object.fromEntries(
    operations
      .filter(({ method }) => method === 'get')
      .map(({ operationId, parameters }) => [
        queryTypeOf(operationId),
        queryObject(parameters.filter((parameter) => parameter.in === 'query')),
      ]),
  )
  const { Problem: _, ...named } = components.schemas
  const types = await typesOf({ ...named, ...queries })
  const methods = operations.map((operation) => methodOf(operation)).join('\n')
  const table = Object.fromEntries(
    operations.map(({ operationId, method, path, responses }) => [
      operationId,
      { method: method.toUpperCase(), path, list: listKindOf(responses) },
    ]),
  )
  return `
import type { CallOptions, ListOptions } from './options.ts'
import type { ItemList } from './pages.ts'

${types}

/** The documented REST operations, one method each. */
export interface Operations {
${methods}
}

/** The method, the path and the form of the list of each documented operation. */
export const operations = ${JSON.stringify(table)} as const satisfies Record<keyof Operations, object>
`
}

function problemCodesModule(): string {
  const statuses = document.components.schemas['Problem']!['x-problem-codes']
  return `/** The problem codes, with the HTTP status of each. */
export const problemCodes = ${JSON.stringify(statuses)} as const

/** The code of a problem. */
export type ProblemCode = keyof typeof problemCodes
`
}

/** Returns the declarations of the named types. */
async function typesOf(named: Record<string, JsonSchema>): Promise<string> {
  const text = JSON.stringify({
    title: 'Unused',
    type: 'object',
    additionalProperties: false,
    definitions: named,
  })
    .replaceAll('#/components/schemas/', '#/definitions/')
    .replaceAll('"x-never-omitted"', '"required"')
  const types = await compile(JSON.parse(text) as JsonSchema, 'Unused', {
    bannerComment: '',
    unreachableDefinitions: true,
    additionalProperties: false,
    format: false,
  })
  return types
    .replace(/export interface Unused \{\s*\}/, '')
    .replace(
      /\/\*\*\s*\* This interface was referenced by[^*]*\*\s*via the `definition`[^*]*\*\//g,
      '',
    )
    .replace(/\s*\* This interface was referenced by[^\n]*\n\s*\* via the `definition`[^\n]*/g, '')
}

function queryObject(parameters: readonly Parameter[]): JsonSchema {
  return {
    type: 'object',
    properties: Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    additionalProperties: false,
  }
}

function methodOf(operation: Operation & { path: string; method: string }): string {
  const { operationId, summary, parameters, requestBody, responses } = operation
  const ids = parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => `${name}: string`)
  const isList = listKindOf(responses) !== null
  const body = `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Request`
  const input = isList
    ? `query?: ${queryTypeOf(operationId)}`
    : `body${requestBody?.required ? '' : '?'}: ${body}`
  const options = isList ? 'options?: ListOptions' : 'options?: CallOptions'
  const result = isList
    ? `ItemList<${itemOf(responses)}>`
    : `Promise<${refName(schemaOf(responses))}>`
  const doc = `/** ${summary.replaceAll('*/', '')} Throws \`BankProblem\` and \`ConnectionFailure\`. */`
  return `${doc}\n${operationId}(${[...ids, input, options].join(', ')}): ${result}\n`
}

function queryTypeOf(operationId: string): string {
  return `${operationId[0]!.toUpperCase()}${operationId.slice(1)}Query`
}

function schemaOf(responses: Operation['responses']): JsonSchema {
  const status = Object.keys(responses).find((each) => each.startsWith('2'))!
  return responses[status]!.content['application/json']!.schema
}

function refName(schema: JsonSchema): string {
  return (schema['$ref'] as string).split('/').at(-1)!
}

/** The form of a list: an array whose next page is in the header \`Link\`, or a page object. */
function listKindOf(responses: Operation['responses']): 'array' | 'page' | null {
  const schema = schemaOf(responses)
  if (schema['type'] === 'array') return 'array'
  return refName(schema).endsWith('Page') ? 'page' : null
}

function itemOf(responses: Operation['responses']): string {
  const schema = schemaOf(responses)
  return schema['type'] === 'array'
    ? refName(schema['items'] as JsonSchema)
    : refName(schema).replace(/Page$/, '')
}
