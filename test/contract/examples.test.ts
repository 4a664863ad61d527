// The examples of the API reference, sent unchanged, succeed in a new sandbox.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { examplesAt } from '../../rest-facade/examples-at.ts'
import { routes } from '../../rest-facade/routes.ts'
import { operationOf } from '../../rest-facade/wire.ts'
import { type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { dereference } from './dereference.ts'
import { unique } from './kit.ts'

let bank: Platform
let contract: any
beforeAll(async () => {
  bank = await aSeededPlatform()
  contract = dereference(await (await fetch(`${bank.url}/openapi.json`)).json())
})
afterAll(() => bank.stop())

const posts = routes.filter(({ method }) => method === 'POST')

test.each(posts.map((route) => [operationOf(route.operation).name!.value, route.path] as const))(
  '%s: its first example succeeds',
  async (_name, template) => {
    const { parameters, requestBody } = contract.paths[template].post
    const ids = parameters.filter(({ in: place }: any) => place === 'path')
    const path = ids.reduce(
      (text: string, { name, example }: any) => text.replace(`{${name}}`, example),
      template,
    )
    const [{ value }]: any[] = Object.values(requestBody.content['application/json'].examples)
    const answer = await bank.rest('POST', `/v1${path}`, value, { key: unique('try') })
    expect(answer.status, answer.text).toBeLessThan(300)
    expect(answer.headers.get('sandbox-provisioned')).toBeNull()
  },
)

test('dates and times of examples are relative to today, and other values do not change', () => {
  const { createPaymentHoliday, acceptLoanTerms, createDrawdown } = examplesAt(
    new Date('2031-11-21T00:10:00.000Z'),
  )
  expect(createPaymentHoliday!.requests['first']!.value).toMatchObject({ startDate: '2032-01-10' })
  expect(acceptLoanTerms!.requests['first']!.value).toEqual({
    acceptedAt: '2031-11-21T00:10:00.000Z',
    acceptanceChannel: 'web',
  })
  expect(createDrawdown!.requests['elsewhere']!.value).toMatchObject({
    valueDate: '2031-12-01',
    reference: 'INV-2026-117',
  })
})
