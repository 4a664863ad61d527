import { readFileSync } from 'node:fs'
import { buildSchema, introspectionFromSchema } from 'graphql'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { apiSchemaPath } from '../../gateway/compose.ts'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
let closed: Platform
beforeAll(async () => {
  bank = await aPlatform('sandbox', undefined, true)
  closed = await aPlatform('live', undefined, true, { PUBLIC_URL: 'https://bank.example' })
})
afterAll(async () => {
  await bank.stop()
  await closed.stop()
})

const get = (platform: Platform, path: string, headers: Record<string, string> = {}) =>
  platform.rest('GET', path, undefined, { token: null, headers })

test('GET /schema.graphql serves the schema as SDL with descriptions, to programs and browsers', async () => {
  const program = await get(bank, '/schema.graphql')
  expect(program.headers.get('content-type')).toBe('application/graphql; charset=utf-8')
  const browser = await get(bank, '/schema.graphql', { accept: 'text/html,*/*' })
  expect(browser.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect(program.headers.get('vary')?.toLowerCase()).toContain('accept')
  expect(browser.text).toBe(program.text)
  expect(program.text).toBe(readFileSync(apiSchemaPath, 'utf8'))
  const { __schema } = introspectionFromSchema(buildSchema(program.text), { descriptions: true })
  const query = __schema.types.find(({ name }) => name === 'Query') as any
  const field = query.fields.find(({ name }: any) => name === 'party')
  expect(field.description).toContain('Requires the scope `parties:read`.')
})

test('GET /schema.graphql has an ETag and answers 304 while unchanged', async () => {
  const { headers } = await get(bank, '/schema.graphql')
  const etag = headers.get('etag')!
  expect(etag).toMatch(/^W\/"[\w-]+"$/)
  const again = await get(bank, '/schema.graphql', { 'if-none-match': etag })
  expect([again.status, again.text]).toEqual([304, ''])
})

test('the start page links to /schema.graphql', async () => {
  expect((await get(bank, '/')).text).toContain('<a href="/schema.graphql">')
})

test('without introspection, /schema.graphql is not found and not linked', async () => {
  const answer = await get(closed, '/schema.graphql')
  expect([answer.status, answer.body.code]).toEqual([404, 'ROUTE_NOT_FOUND'])
  const { text } = await get(closed, '/')
  expect(text).not.toMatch(/schema\.graphql|graphiql/)
})
