// What a validation problem says about a member: where it is and what is accepted there.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'
import { unique } from './kit.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aPlatform('live')
})
afterAll(() => bank.stop())

const transfer = { debtorArrangementId: 'arr_a', creditorArrangementId: 'arr_b' }
const aDecimal = 'A decimal string such as "12.50".'
const anId = 'An ID is a string of 1 to 64 letters, digits and . _ : ~ -'

async function faults(path: string, body: unknown): Promise<string[]> {
  const answer = await bank.rest('POST', path, body, { key: unique('fault') })
  expect(answer.status).toBe(400)
  return answer.body.errors.map(({ pointer, code, detail }: any) => `${pointer} ${code} ${detail}`)
}

describe('messages for members in the wrong format', () => {
  test.each([
    [{ amount: { amount: '1,50', currency: 'EUR' } }, [`/amount/amount PATTERN ${aDecimal}`]],
    [
      { amount: { amount: '1.50', currency: 'Euro' } },
      ['/amount/currency PATTERN An ISO 4217 code such as EUR.'],
    ],
    [{ debtorArrangementId: 'arr a' }, [`/debtorArrangementId PATTERN ${anId}`]],
    [{ debtorArrangementId: 'a'.repeat(65) }, [`/debtorArrangementId MAX_LENGTH ${anId}`]],
    [{ valueDate: '31.01.2026' }, ['/valueDate FORMAT A date such as 2026-01-31.']],
    [{ expiresAt: 'tomorrow' }, ['/expiresAt FORMAT A date-time such as 2026-01-31T09:30:00Z.']],
    [{ valueDate: 5 }, ['/valueDate TYPE The value must be string.']],
  ])('describes the expected format for %j', async (members, expected) => {
    const amount = { amount: '1.00', currency: 'EUR' }
    expect(await faults('/posting-instructions', { ...transfer, amount, ...members })).toEqual(
      expected,
    )
  })
})

test.each([
  ['1,50', [`/amount PATTERN ${aDecimal}`]],
  [5, ['/amount ANY_OF An amount is {amount, currency} or a decimal string.']],
  [{ amount: '1.50' }, ['/amount/currency REQUIRED This member is required.']],
])(
  'a member with two variants gets the error of the intended one: %j',
  async (amount, expected) => {
    expect(await faults('/facilities/fac_1/drawdowns', { amount })).toEqual(expected)
  },
)

test('lists the allowed members beside an unknown one', async () => {
  const body = { customerId: 'cus_1', productId: 'prd_1', status: 'active' }
  const { errors } = (await bank.rest('POST', '/accounts', body)).body
  const allowed = ['arrangementId', 'customerId', 'productId', 'state', 'openedAt']
  expect(errors).toEqual([
    {
      pointer: '/status',
      code: 'UNKNOWN_PROPERTY',
      detail: 'This member is not documented.',
      allowed,
    },
  ])
  const [fault] = (await bank.rest('GET', '/accounts?status=active')).body.errors
  expect([fault.parameter, fault.allowed]).toEqual([
    'status',
    ['customerId', 'productId', 'state', 'pageSize', 'pageToken'],
  ])
})

test.each([
  ['', 'The body is empty. Send a JSON object.'],
  ['{"customerId": }', 'is not valid JSON'],
  ['{"customerId": "cus_1"', 'in JSON at position 22'],
])('explains why the body is not JSON: %j', async (raw, expected) => {
  const { body } = await bank.rest('POST', '/accounts', undefined, { raw })
  expect(body.code).toBe('MALFORMED_JSON')
  expect(body.detail).toContain(expected)
})
