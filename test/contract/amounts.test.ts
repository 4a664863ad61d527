/**
 * An amount is `{amount, currency}` or, where a record gives the currency, a decimal string; never a
 * JSON number. Every operation with an amount reads it exactly and rejects the same values with the same messages.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { RestAnswer } from '../kit/platform.ts'
import { dereference } from './dereference.ts'
import { aSampleBank, freshPath, goodBody, unique, type SampleBank } from './kit.ts'

let bank: SampleBank
let places: Place[]
beforeAll(async () => {
  bank = await aSampleBank('live', true)
  places = await amountPlaces()
})
afterAll(() => bank.stop())

/** A place where an operation takes an amount. */
interface Place {
  name: string
  path: string
  /** The path of members to it; 0 is the first item of a list. */
  members: (string | number)[]
  /** Whether it accepts a bare decimal string. */
  takesText: boolean
}

type Schema = Record<string, any>

async function amountPlaces(): Promise<Place[]> {
  const { body } = await bank.rest('GET', '/openapi.json')
  const found: Place[] = []
  for (const [path, { post }] of Object.entries<Schema>(dereference(body).paths)) {
    const schema = post?.requestBody?.content?.['application/json']?.schema
    if (schema) walk(schema, [], `POST ${path}`, path, found)
  }
  return found
}

function walk(
  schema: Schema,
  members: (string | number)[],
  name: string,
  path: string,
  found: Place[],
): void {
  const choices: Schema[] = schema['anyOf'] ?? [schema]
  const isMoney = choices.some(
    ({ properties }) => properties && Object.keys(properties).join() === 'amount,currency',
  )
  if (isMoney) {
    const takesText = choices.some(({ type }) => type === 'string')
    found.push({ name, path, members, takesText })
    return
  }
  for (const [member, inner] of Object.entries<Schema>(schema['properties'] ?? {})) {
    walk(inner, [...members, member], name, path, found)
  }
  if (schema['items']) walk(schema['items'], [...members, 0], name, path, found)
}

const pointerOf = ({ members }: Place) => `/${members.join('/')}`

/** Sends the operation with the value at the place, and otherwise valid members. */
async function send(place: Place, value: unknown): Promise<RestAnswer> {
  const filled = place.members.reduceRight<unknown>(
    (inner, member) => (member === 0 ? [inner] : { [member]: inner }),
    value,
  )
  const body = { ...goodBody(place.name), ...(filled as object) }
  const path = await freshPath(bank, place)
  return bank.rest('POST', path, body, { key: unique('key') })
}

const faultsAt = ({ body }: RestAnswer, pointer: string): string[] =>
  (body.errors ?? [])
    .filter((fault: { pointer?: string }) => fault.pointer === pointer)
    .map(({ detail }: { detail: string }) => detail)

test('the served contract takes an amount in exactly these places', () => {
  expect(places.map((place) => `${place.name} ${pointerOf(place)}${place.takesText ? '' : ' {}'}`))
    .toMatchInlineSnapshot(`
    [
      "POST /credit-applications/{applicationId}/decision /approvedTerms/amount",
      "POST /credit-applications/{applicationId}/submit /requestedAmount {}",
      "POST /credit-applications/{applicationId}/submit /monthlyIncome {}",
      "POST /credit-applications/{applicationId}/submit /monthlyObligations {}",
      "POST /facilities/{facilityId}/extra-payments /amount",
      "POST /facilities/{facilityId}/drawdowns /amount",
      "POST /posting-instructions /amount",
      "POST /posting-instructions /creditorAmount",
      "POST /posting-instructions /entries/0/amount",
      "POST /posting-instructions /instructions/0/amount",
      "POST /posting-instructions /instructions/0/creditorAmount",
      "POST /posting-instructions /instructions/0/entries/0/amount",
    ]
  `)
})

const notDecimals = [
  '',
  ' 1.00',
  '1.00 ',
  '+1.00',
  '1.',
  '.5',
  '1,00',
  '1e2',
  '0x10',
  '1_000.00',
  'NaN',
  'Infinity',
  '1234567890123456',
  '1.12345678901',
  '１.00',
]
const sentence = 'A decimal string such as "12.50".'

describe('malformed amounts in every operation', () => {
  test.each(notDecimals)('rejects the text %j with the same message', async (text) => {
    for (const place of places) {
      const at = pointerOf(place)
      const inObject = await send(place, { amount: text, currency: 'EUR' })
      expect(inObject.status, at).toBe(400)
      expect(faultsAt(inObject, `${at}/amount`), place.name + at).toEqual([sentence])
      if (!place.takesText) continue
      const alone = await send(place, text)
      expect(alone.status, at).toBe(400)
      expect(faultsAt(alone, at), place.name + at).toEqual([sentence])
    }
  })

  test.each([0.01, 100, -5, 1e21, 0.1, true])(
    'rejects the JSON value %j with the same message',
    async (value) => {
      for (const place of places) {
        const at = pointerOf(place)
        const inObject = await send(place, { amount: value, currency: 'EUR' })
        expect(faultsAt(inObject, `${at}/amount`), place.name + at).toEqual([
          'The value must be string.',
        ])
        const alone = await send(place, value)
        expect(faultsAt(alone, at), place.name + at).toEqual([
          place.takesText
            ? 'An amount is {amount, currency} or a decimal string.'
            : 'The value must be object.',
        ])
      }
    },
  )
})

/** Operations that return the amount, with a way to send one. */
const posting = (more: object) =>
  bank.rest('POST', '/posting-instructions', more, { key: unique('k') })
const operations: [string, string, (amount: unknown) => Promise<RestAnswer>][] = [
  [
    'a posting instruction',
    '/amount',
    (amount) => posting({ arrangementId: 'arr_money', direction: 'in', amount }),
  ],
  [
    'a drawdown',
    '/amount',
    (amount) =>
      bank.rest('POST', '/facilities/fac_money/drawdowns', { amount, purpose: unique('for') }),
  ],
  [
    'an extra payment',
    '/amount',
    (amount) =>
      bank.rest('POST', '/facilities/loan_money/extra-payments', { amount, note: unique('for') }),
  ],
]

describe.each(operations)('amount of %s', (_name, pointer, sendAmount) => {
  test.each([
    ['0.01', '0.01'],
    ['1.10', '1.10'],
    ['1.1', '1.10'],
    ['7', '7.00'],
    ['0007.5', '7.50'],
    ['4503.07', '4503.07'],
    // Not exact as a binary fraction: 16.15 * 100 is 1614.9999999999998.
    ['16.15', '16.15'],
  ])('reads %j exactly, as a bare string and with its currency', async (text, amount) => {
    for (const sent of [text, { amount: text, currency: 'EUR' }]) {
      const answer = await sendAmount(sent)
      expect(answer.status, answer.text).toBe(200)
      expect(answer.body.amount).toEqual({ amount, currency: 'EUR' })
    }
  })

  test.each([
    ['1.105', 'EUR has 2 decimals; the amount has 3.'],
    ['0.001', 'EUR has 2 decimals; the amount has 3.'],
    ['1.1000', 'EUR has 2 decimals; the amount has 4.'],
  ])(
    'rejects %j, which has too many decimals, with a pointer to the amount',
    async (text, detail) => {
      const alone = await sendAmount(text)
      expect([alone.status, faultsAt(alone, pointer)]).toEqual([400, [detail]])
      const inObject = await sendAmount({ amount: text, currency: 'EUR' })
      expect([inObject.status, faultsAt(inObject, `${pointer}/amount`)]).toEqual([400, [detail]])
    },
  )
})

test('books an amount of fifteen integer digits to the cent', async () => {
  const max = '999999999999999.99'
  const before = await balanceInCents()
  for (const amount of [max, { amount: max, currency: 'EUR' }]) {
    const { body } = await posting({ arrangementId: 'arr_money', direction: 'in', amount })
    expect(body.amount.amount).toBe(max)
  }
  expect((await balanceInCents()) - before).toBe(2n * 99_999_999_999_999_999n)
  for (const amount of [max, { amount: max, currency: 'EUR' }]) {
    await posting({ arrangementId: 'arr_money', direction: 'out', amount })
  }
  expect(await balanceInCents()).toBe(before)
})

async function balanceInCents(): Promise<bigint> {
  const { balance } = await bank.act('{ balance(arrangementId: "arr_money") { committed } }')
  return BigInt(balance.committed.replace('.', ''))
}
