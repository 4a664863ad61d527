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

const names = posts.map((route) => [operationOf(route.operation).name!.value, route.path] as const)

/** Sends an example to the path that the contract has as its example. */
async function send(to: Platform, template: string, value: object) {
  const { parameters } = contract.paths[template].post
  const ids = parameters.filter(({ in: place }: any) => place === 'path')
  const path = ids.reduce(
    (text: string, { name, example }: any) => text.replace(`{${name}}`, example),
    template,
  )
  const answer = await to.rest('POST', `/v1${path}`, value, { key: unique('try') })
  expect(answer.status, answer.text).toBeLessThan(300)
  expect(answer.headers.get('sandbox-provisioned')).toBeNull()
  return answer.body
}

const examplesOf = (template: string): [string, any][] =>
  Object.entries(contract.paths[template].post.requestBody.content['application/json'].examples)

test.each(names)('%s: its first example succeeds', async (_name, template) => {
  const [[, { value }]] = examplesOf(template) as [[string, any]]
  const body = await send(bank, template, value)
  // A payment from an account is booked; one from outside the bank would wait for the money.
  if (template.endsWith('/extra-payments')) expect(body.status).toBe('applied')
})

test('each further example of a posting succeeds, in order, with what its summary says to replace', async () => {
  const template = '/posting-instructions'
  const [[, first], ...others] = examplesOf(template) as [[string, any], ...[string, any][]]
  const { postingInstructionId } = await send(bank, template, first.value)
  const { body } = await bank.graph(`mutation { openAccountArrangement(input: {
    customerId: "cus_ada", productId: "prd_current", currency: "USD" }) { arrangementId } }`)
  const replacements: Record<string, [string, object]> = {
    exchange: [
      '`arr_usd`',
      { creditorArrangementId: body.data.openAccountArrangement.arrangementId },
    ],
    reversal: ['`postingInstructionId`', { reversesId: postingInstructionId }],
  }
  for (const [name, { summary, value }] of others) {
    const [mentioned, replaced] = replacements[name] ?? ['', {}]
    expect(summary).toContain(mentioned)
    await send(bank, template, { ...value, ...replaced })
  }
})

test('each further example of another operation succeeds in a new sandbox', async () => {
  const templates = names.map(([, template]) => template)
  const others = templates.filter((template) => template !== '/posting-instructions')
  const maxExamples = Math.max(...others.map((template) => examplesOf(template).length))
  expect(maxExamples).toBeGreaterThan(2)
  for (let index = 1; index < maxExamples; index++) {
    const sandbox = await aSeededPlatform()
    for (const template of others) {
      const example = examplesOf(template)[index]
      if (example) await send(sandbox, template, example[1].value)
    }
    await sandbox.stop()
  }
})

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
