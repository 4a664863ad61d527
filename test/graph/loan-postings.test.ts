/** What lending booked is undone by lending: no client reverses a posting of a loan by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('no posting of a loan can be reversed by hand, and each names its facility', async () => {
  const posted = async () => {
    const sql =
      "select posting_instruction_id as id from ledger.posting_instruction where type <> 'reversal'"
    return (await bank.bank.pool.query<{ id: string }>(sql)).rows.map(({ id }) => id)
  }
  const before = new Set(await posted())
  const actions = {
    repay: `recordRepayment(input: { facilityId: "loan_grace", amount: "50.00" }) { status }`,
    prepay: `createExtraPayment(input: { facilityId: "loan_ada", amount: "500.00",
      sourceArrangementId: "arr_ada_current" }) { status prepaymentFee { amount } }`,
    draw: `createDrawdown(input: { facilityId: "fac_ada", amount: "10.00" }) { status }`,
  }
  for (const [key, action] of Object.entries(actions)) {
    const { body } = await bank.graph(`mutation { it: ${action} }`, {}, { key })
    expect(body.errors, key).toBeUndefined()
  }
  const ids = (await posted()).filter((id) => !before.has(id))
  expect(ids.length).toBeGreaterThanOrEqual(3)
  for (const id of ids) {
    const { body } = await bank.graph(
      `mutation ($id: ID!) {
        createPostingInstruction(input: { type: REVERSAL, reversesId: $id }) { status } }`,
      { id },
    )
    expect([id, body.errors?.[0]?.extensions.code]).toEqual([id, 'POSTING_NOT_REVERSIBLE'])
  }
  const { body } = await bank.graph(
    'query ($id: ID!) { postingInstruction(postingInstructionId: $id) { metadata } }',
    { id: ids[0] },
  )
  expect(body.data.postingInstruction.metadata.facilityId).toMatch(/^(loan|fac)_/)
})
