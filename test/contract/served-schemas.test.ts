/** The schemas of the served contract, as tools that generate clients read them. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'

let bank: Platform
let served: any
beforeAll(async () => {
  bank = await aPlatform('live', undefined, true)
  served = (await bank.rest('GET', '/openapi.json', undefined, { token: null })).body
})
afterAll(() => bank.stop())

test('names what each operation takes and returns, so that generated clients have types', () => {
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

test('its patterns compile without the unicode flag, and its examples match them there', () => {
  const patterns = [...JSON.stringify(served).matchAll(/"pattern":("(?:[^"\\]|\\.)*")/g)]
  expect(patterns.length).toBeGreaterThan(20)
  for (const [, text] of patterns) {
    const pattern = JSON.parse(text!) as string
    expect(pattern).not.toMatch(/\\[pP]\{/)
    expect(() => new RegExp(pattern)).not.toThrow()
  }
})
