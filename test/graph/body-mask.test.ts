/** What the log of requests shows of bodies, and what it hides. */
import { parse, type GraphQLSchema } from 'graphql'
import { beforeAll, describe, expect, test } from 'vitest'
import { createBodyMask } from '../../gateway/body-mask.ts'
import { theGraph } from '../kit/platform.ts'

let schema: GraphQLSchema
beforeAll(async () => {
  schema = (await theGraph()).apiSchema
})

describe('The mask of bodies', () => {
  const masked = (value: unknown, document: string | null = null) => {
    const mask = createBodyMask(schema)
    const body = JSON.stringify(value)
    return mask.request(body, document === null ? null : parse(document)) as any
  }

  test('keeps codes, IDs, times, amounts and names of members', () => {
    const body = {
      partyId: 'pty_1',
      amount: { amount: '1.00', currency: 'EUR' },
      requestedAmount: { amount: '1.00', currency: 'EUR' },
      sendAt: '2026-01-01T00:00:00Z',
      pageSize: 3,
      isRead: true,
      none: null,
      empty: '',
    }
    expect(masked(body)).toEqual(body)
  })

  test('masks texts, and everything in an object whose members anybody can choose', () => {
    const text = 'a "partyId": "x" \\ " \u2028 {"partyId":"y"}'
    expect(
      masked({ givenName: text, metadata: { partyId: text, pin: 1234, list: [text] } }),
    ).toEqual({
      givenName: '…',
      metadata: { partyId: '…', pin: '…', list: ['…'] },
    })
    expect(masked({ unknown: { partyId: text } })).toEqual({ unknown: { partyId: '…' } })
  })

  test('shows a variable by its type, not by its name', () => {
    const document =
      'query ($a: ID!, $partyId: String, $input: CreatePartyInput, $list: [PartyKind!]) { __typename }'
    const variables = {
      a: 'pty_1',
      partyId: 'Ada',
      input: { partyId: 'pty_2', givenName: 'Ada' },
      list: ['PERSON'],
    }
    expect(masked({ query: document, variables }, document).variables).toEqual({
      a: 'pty_1',
      partyId: '…',
      input: { partyId: 'pty_2', givenName: '…' },
      list: ['PERSON'],
    })
  })

  test('masks literals and leaves comments out of a document', () => {
    const document = '{ party(partyId: "pty_1") { displayName } } # Ada'
    expect(masked({ query: document }, document).query).toBe(
      '{\n  party(partyId: "…") {\n    displayName\n  }\n}',
    )
  })

  test('masks a response with aliases completely', () => {
    const mask = createBodyMask(schema)
    const response = JSON.stringify({ data: { party: { code: 'Ada', partyId: 'pty_1' } } })
    const aliased = parse('{ party(partyId: "pty_1") { code: displayName partyId } }')
    const plain = parse('{ party(partyId: "pty_1") { displayName partyId } }')
    expect(mask.response(response, aliased)).toEqual({
      data: { party: { code: '…', partyId: '…' } },
    })
    expect(mask.response(response, plain)).toMatchObject({ data: { party: { partyId: 'pty_1' } } })
  })

  test('returns nothing for what is not JSON', () => {
    const mask = createBodyMask(schema)
    expect(mask.request('Ada Lovelace', null)).toBeNull()
    expect(mask.response('{"a":"Ada', null)).toBeNull()
  })
})
