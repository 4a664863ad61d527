/**
 * Unknown records are provisioned whatever was provisioned before, in any order, concurrently, twice,
 * with ids that differ only in their prefix, and after an interruption at any step.
 */
import fc from 'fast-check'
import { Kind, type DocumentNode } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { QueryGraph } from '../../kernel/environment/bank.ts'
import { aSampleBank, goodBody, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('sandbox')
})
afterAll(() => bank.stop())

interface Call {
  operation: string
  path: (stem: string) => string
  body: (stem: string) => Record<string, unknown>
}

const call = (
  operation: string,
  more: (stem: string) => Record<string, unknown> = () => ({}),
  id: (stem: string) => string = (stem) => stem,
): Call => ({
  operation,
  path: (stem) =>
    `/v1${operation.split(' ')[1]!.replace(/\{(\w+)\}/, (_, name: string) => id(`${prefixes[name]}_${stem}`))}`,
  body: (stem) => ({ ...goodBody(operation), ...more(stem) }),
})
const prefixes: Record<string, string> = {
  loanId: 'loan',
  facilityId: 'fac',
  applicationId: 'app',
  sessionId: 'ses',
}

const inTwoMonths = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10)

const calls: readonly Call[] = [
  call('POST /notifications', (stem) => ({ partyId: `pty_${stem}` })),
  call('POST /accounts', (stem) => ({ customerId: `cus_${stem}`, productId: `prd_${stem}` })),
  call('POST /consumer-loans/{loanId}/hardship-requests'),
  call('POST /facilities/{facilityId}/payment-holidays', () => ({ startDate: inTwoMonths })),
  call('POST /facilities/{facilityId}/extra-payments'),
  call('POST /facilities/{facilityId}/drawdowns'),
  call('POST /ai/assist/sessions/{sessionId}/messages'),
  call('POST /credit-applications/{applicationId}/submit', undefined, (id) => `${id}.1`),
  call('POST /credit-applications/{applicationId}/decision', undefined, (id) => `${id}.2`),
  call('POST /consumer-loan-applications/{applicationId}/acceptance', undefined, (id) => `${id}.3`),
]

const send = ({ operation, path, body }: Call, stem: string, key = unique('key')) =>
  bank.rest(operation.split(' ')[0]!, path(stem), body(stem), { key })

/** A repeated request may violate rules of the bank, which is not a fault of provisioning. */
const businessRules = new Set([
  'APPLICATION_ALREADY_SUBMITTED',
  'APPLICATION_ALREADY_DECIDED',
  'ALREADY_ACCEPTED',
  'INVALID_STATE_TRANSITION',
  'OVERLAPPING_HOLIDAY',
  'OPEN_REQUEST_EXISTS',
  'SESSION_BUSY',
  'HOLIDAY_LIMIT_REACHED',
])

async function expectServed(all: readonly Call[], stem: string, isFirst: boolean) {
  const answers = await Promise.all(all.map((each) => send(each, stem)))
  answers.forEach(({ status, text, body }, at) => {
    if (!isFirst && businessRules.has(body.code)) return
    expect([200, 201], `${all[at]!.operation} ${stem}: ${text}`).toContain(status)
  })
}

test(
  'provisions records with one stem in any order, sequentially and concurrently, twice',
  () =>
    fc.assert(
      fc.asyncProperty(
        fc.shuffledSubarray([...calls], { minLength: calls.length }),
        fc.integer({ min: 1, max: calls.length }),
        async (order, together) => {
          const stem = unique('x').slice(2)
          for (let at = 0; at < order.length; at += together) {
            await expectServed(order.slice(at, at + together), stem, true)
          }
          await expectServed(order, stem, false)
        },
      ),
      { numRuns: 4 },
    ),
  120_000,
)

test('provisions records with ids of maximum length', async () => {
  const stem = 'y'.repeat(55)
  await expectServed(calls.slice(2, 7), stem, true)
  await expectServed(calls.slice(0, 2), 'z'.repeat(60), true)
})

/** Whether it is a step of provisioning; the bank's workers also send operations meanwhile. */
const isStep = ({ definitions }: DocumentNode) =>
  definitions.some(
    (each) =>
      each.kind === Kind.OPERATION_DEFINITION && each.name?.value.startsWith('Provision') === true,
  )

describe('provisioning that was interrupted at any step', () => {
  test.each(calls.map((each) => [each.operation, each] as const))(
    '%s: the next request completes it',
    async (_, each) => {
      const { queryGraph } = bank.bank
      for (let steps = 0; ; steps++) {
        const stem = unique('cut').slice(4)
        let left = steps
        const cutOff: QueryGraph = (document, ...parameters) =>
          !isStep(document) || left-- > 0
            ? queryGraph(document, ...parameters)
            : Promise.reject(new Error('The process was killed.'))
        bank.bank.queryGraph = cutOff
        const first = await send(each, stem)
        bank.bank.queryGraph = queryGraph
        await expectServed([each], stem, first.status >= 500)
        if (left >= 0) break
        expect(first.status).toBe(500)
      }
    },
    120_000,
  )
})
