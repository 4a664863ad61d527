import { afterAll, beforeAll, expect, test } from 'vitest'
import { aCustomer, bank, openBank, opening, publish } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

test('rejects a new account for a deceased party', async () => {
  await aCustomer('cus_gone')
  await publish('party/pty_gone', { partyId: 'pty_gone', status: 'deceased' })
  const refused = await opening({ customerId: 'cus_gone' })
  expect(refused.code).toBe('PARTY_DECEASED')
  expect(refused.errors[0]!.extensions).toMatchObject({ errors: [{ pointer: '/customerId' }] })
  await publish('party/pty_gone', { partyId: 'pty_gone', status: 'active' })
  expect((await opening({ customerId: 'cus_gone' })).errors).toEqual([])
})
