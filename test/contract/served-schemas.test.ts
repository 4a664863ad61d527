/** The schemas of the served contract, as client generators read them. */
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { dereference, strict } from './dereference.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })

let bank: Platform
let served: any
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
  served = (await bank.rest('GET', '/openapi.json', undefined, { token: null })).body
})
afterAll(() => bank.stop())

test('the served contract names the schema of each request and response, for typed clients', () => {
  const operations = Object.values<any>(served.paths).flatMap((path) => Object.values<any>(path))
  for (const { operationId, requestBody, responses } of operations) {
    const good = (responses[200] ?? responses[201]).content['application/json'].schema
    expect((good.items ?? good).$ref, operationId).toMatch(/^#\/components\/schemas\/[A-Z]\w+$/)
    if (requestBody) expect(requestBody.content['application/json'].schema.$ref).toMatch(/Request$/)
  }
  expect(Object.keys(served.components.schemas)).toEqual(
    expect.arrayContaining(['Notification', 'Account', 'Agreement', 'AgreementPage']),
  )
})

test('patterns of the served contract compile without the unicode flag', () => {
  const patterns = [...JSON.stringify(served).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)]
  expect(patterns.length).toBeGreaterThan(20)
  for (const [, text] of patterns) {
    const pattern = JSON.parse(text!) as string
    expect(pattern).not.toMatch(/\\[pP]\{/)
    expect(() => new RegExp(pattern)).not.toThrow()
  }
})

test('the examples of the served contract match their schemas', () => {
  let count = 0
  for (const path of Object.values<any>(dereference(served).paths)) {
    for (const { requestBody, responses, operationId } of Object.values<any>(path)) {
      const sent = requestBody?.content['application/json']
      for (const [name, { value }] of Object.entries<any>(sent?.examples ?? {})) {
        expect(ajv.validate(sent.schema, value), `${operationId} ${name} ${ajv.errorsText()}`).toBe(
          true,
        )
        count++
      }
      for (const [status, { content }] of Object.entries<any>(responses)) {
        const problem = content['application/problem+json']
        if (!problem) continue
        expect(String(problem.example.status), operationId).toBe(status)
        expect(
          ajv.validate(served.components.schemas.Problem, problem.example),
          `${operationId} ${status} ${ajv.errorsText()}`,
        ).toBe(true)
      }
      const good = (responses[200] ?? responses[201]).content['application/json']
      if (!good.example) continue
      expect(
        ajv.validate(strict(good.schema), good.example),
        `${operationId} ${ajv.errorsText()}`,
      ).toBe(true)
      count++
    }
  }
  expect(count).toBeGreaterThan(8)
})
