/** What an area booked is undone by the area: no client reverses a posting of a loan or a deposit by hand. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

test('no posting of a loan or a term deposit can be reversed by hand, and those of loans name it', async () => {
  const posted = async () => {
    const sql =
      "select posting_instruction_id as id from ledger.posting_instruction where type <> 'reversal'"
    return (await bank.bank.pool.query<{ id: string }>(sql)).rows.map(({ id }) => id)
  }
  const before = new Set(await posted())
  const token = bank.token({ subject: 'walter' })
  const actions = {
    repay: `recordRepayment(input: { facilityId: "loan_grace", amount: "50.00" }) { status }`,
    prepay: `createExtraPayment(input: { facilityId: "loan_ada", amount: "500.00",
      sourceArrangementId: "arr_ada_current" }) { status prepaymentFee { amount } }`,
    withdraw: `withdrawTermDeposit(input: { termDepositId: "tdp_grace" }) { state }`,
    draw: `createDrawdown(input: { facilityId: "fac_ada", amount: "10.00" }) { status }`,
  }
  for (const [key, action] of Object.entries(actions)) {
    const { body } = await bank.graph(`mutation { it: ${action} }`, {}, { key, token })
    expect(body.errors ?? [], key).toEqual([])
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
