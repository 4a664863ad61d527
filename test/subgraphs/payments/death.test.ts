import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Context } from '../../../kernel/environment/context.ts'
import { createStandingOrder } from '../../../subgraphs/payments/commands/standing-order.ts'
import { createTransfer } from '../../../subgraphs/payments/commands/transfer.ts'
import { interrupted } from '../../kit/interrupted.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { post } from './kit.ts'
import {
  aBankWithMoney,
  abroad,
  ada,
  adasIban,
  findings,
  grace,
  inside,
  outside,
  paymentOf,
  publishAccount,
  receive,
  runOnce,
  standing,
  transfer,
} from './payments-kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aBankWithMoney()
})
afterAll(() => bank.drop())

const publish = (subject: string, data: object) =>
  bank.rows(
    'insert into kernel.fact values ($1, 1, $2) on conflict (subject) do update set data = $2',
    [subject, data],
  )
const grantTo = (grantee: string, grantedAt: string) =>
  publish(`entitlements-of/${grantee}`, {
    grants: [
      {
        entitlementId: 'grant_1',
        grantorPartyId: 'pty_ada',
        resource: 'arrangement/arr_ada',
        right: 'transfer',
        limit: null,
        validTo: null,
        grantedAt,
      },
    ],
  })
const order = async (input: object) => {
  const { data, errors } = await bank.execute(
    `mutation ($input: CreateStandingOrderInput!) { order: createStandingOrder(input: $input) { standingOrderId } }`,
    { input: { frequency: 'MONTHLY', startsOn: '2026-03-04', ...input } },
  )
  expect(errors).toEqual([])
  return data.order.standingOrderId as string
}
const orderOf = async (id: string) =>
  (
    await bank.execute(
      'query ($id: ID!) { standingOrder(standingOrderId: $id) { executions reasonCode state } }',
      { id },
    )
  ).data.standingOrder

test('an order for later is rejected if the death is recorded before its commit', async () => {
  const die = () => publish('party/pty_ada', { status: 'deceased', deathRecordedAt: null })
  const standingOrder = { ...inside(), frequency: 'monthly', startsOn: '2026-03-04' }
  const orders = [
    (context: Context) => createStandingOrder(context, standingOrder as never),
    (context: Context) => createTransfer(context, abroad({ executionDate: '2026-03-04' }) as never),
  ]
  for (const createOrder of orders) {
    await publish('party/pty_ada', { status: 'active' })
    const ordered = createOrder(interrupted(bank.bank, die, ada))
    await expect(ordered).rejects.toMatchObject({ code: 'PARTY_DECEASED' })
  }
  await publish('party/pty_ada', { status: 'active' })
})

test('after a death only the bank and an executor entitled since then pay from the account', async () => {
  const own = { arrangementId: 'arr_loan', partyId: 'pty_ada', currency: 'EUR' }
  const { anAccount } = await import('./kit.ts')
  await anAccount(bank, 'arr_loan')
  await publishAccount(bank, 'NL55BKGR0000000003', own)
  const toGrace = await order(inside())
  const toOwn = await order(inside({ creditorArrangementId: 'arr_loan' }))
  const planned = await transfer(bank, abroad({ executionDate: '2026-03-04' }), { caller: ada })
  await grantTo('pty_grace', '2026-03-01T09:00:00.000Z')
  bank.clock.set('2026-03-03T09:00:00Z')
  await publish('party/pty_ada', {
    status: 'deceased',
    deathRecordedAt: '2026-03-03T09:00:00.000Z',
  })

  for (const caller of [ada, grace]) {
    const refused = await transfer(bank, inside(), { caller })
    expect(refused.code).toBe('PARTY_DECEASED')
    expect(refused.errors[0]!.extensions).toMatchObject({
      errors: [{ pointer: '/debtorArrangementId', resourceId: 'pty_ada' }],
    })
  }
  const posting = { debtorArrangementId: 'arr_ada', creditorArrangementId: 'arr_grace' }
  const money = { amount: { amount: '1.00', currency: 'EUR' } }
  const posted = await post(bank, { ...posting, ...money }, { caller: ada })
  expect(posted.code).toBe('PARTY_DECEASED')
  expect((await transfer(bank, inside())).errors).toEqual([])
  await grantTo('pty_grace', '2026-03-03T10:00:00.000Z')
  expect((await transfer(bank, inside(), { caller: grace })).errors).toEqual([])

  bank.clock.set('2026-03-04T09:00:00Z')
  await runOnce(bank, 'payments.execute-standing-orders')
  await runOnce(bank, 'payments.execute-scheduled')
  expect(await orderOf(toGrace)).toMatchObject({ executions: 0, reasonCode: 'PARTY_DECEASED' })
  expect(await orderOf(toOwn)).toMatchObject({ executions: 1, reasonCode: null })
  const rejected = (await paymentOf(bank, planned.data.payment.paymentId)).data.payment
  expect(rejected).toMatchObject({ state: 'REJECTED', reasonCode: 'PARTY_DECEASED' })

  const before = await standing(bank, 'arr_ada')
  const incoming = {
    creditorIban: adasIban,
    debtorIban: outside,
    debtorName: 'Konrad Zuse',
    ...money,
  }
  // Only the sandbox simulates payments from other banks.
  bank.bank.environment = 'sandbox'
  expect((await receive(bank, incoming)).errors).toEqual([])
  bank.bank.environment = 'live'
  expect(await standing(bank, 'arr_ada')).toEqual({ ...before, committed: before.committed + 100 })
  expect(await findings(bank)).toEqual([])
})
