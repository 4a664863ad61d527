import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  accepting,
  bank,
  day,
  deciding,
  tryMutation,
  good,
  openBank,
  read,
  start,
  statusOf,
  withCounterOffer,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const eur = (amount: string) => ({ amount, currency: 'EUR' })

describe('counter-offer', () => {
  const answer = (id: string, isTaken: boolean) =>
    tryMutation(`answerCounterOffer(applicationId: $id, isTaken: ${isTaken}) { status }`, id)

  test('leaves the application in review, and sets the approved terms when it is accepted', async () => {
    const id = await withCounterOffer()
    expect((await read(id)).data.loanApplication).toMatchObject({
      status: 'IN_REVIEW',
      counterOffer: { amount: { amount: '8000.00' }, termMonths: 12 },
      approvedTerms: null,
      facilityId: null,
    })
    good(await answer(id, true))
    const { loanApplication } = (await read(id)).data
    expect(loanApplication).toMatchObject({
      status: 'APPROVED',
      counterOffer: null,
      approvedTerms: { amount: eur('8000.00') },
      decisions: [{ outcome: 'COUNTER_OFFER' }, { outcome: 'APPROVED', decidedBy: 'officer_1' }],
    })
    expect(loanApplication.facilityId).toMatch(/^fac_/)
    good(await accepting(id))
  })

  test('withdraws the application when it is declined', async () => {
    const id = await withCounterOffer()
    expect(good(await answer(id, false)).status).toBe('DECLINED')
    expect((await read(id)).data.loanApplication.closureReason).toBe('WITHDRAWN_BY_CUSTOMER')
  })

  test('cannot be accepted after its expiry or after another decision', async () => {
    const id = await withCounterOffer()
    bank.clock.advance(30 * day)
    expect((await answer(id, true)).code).toBe('OFFER_EXPIRED')
    bank.clock.set(start)
    good(await deciding(id, { outcome: 'referred' }))
    expect((await answer(id, true)).code).toBe('NO_COUNTER_OFFER')
    expect(await statusOf(id)).toBe('in-review')
  })
})
