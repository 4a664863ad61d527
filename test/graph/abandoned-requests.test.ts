/**
 * A money movement that waits for its turn is not carried out once its caller has disconnected: the
 * caller may have repeated it at another process and been rejected there.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../kernel/environment/context.ts'
import { readHeldBalance } from '../../ledger/hold.ts'
import { accountQueuesOf } from '../../ledger/turns.ts'
import { command } from '../../kernel/writing/command.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { eventually } from '../kit/eventually.ts'
import { aSampleBank, type SampleBank } from '../contract/kit.ts'

let bank: SampleBank
beforeAll(async () => {
  bank = await aSampleBank('live', true)
  await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "arr_other",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }`)
  // The account holds the payout of its loan.
  expect(await committed()).toBe(1_000_000)
})
afterAll(() => bank.stop())

const accountId = 'arr_money'
const transfer = `mutation { createTransfer(input: { debtorArrangementId: "${accountId}",
  creditorArrangementId: "arr_other", amount: { amount: "1.00", currency: "EUR" } }) { state } }`

const send = (key: string, signal: AbortSignal | null = null) =>
  fetch(`${bank.url}/graphql`, {
    method: 'POST',
    signal,
    headers: {
      authorization: `Bearer ${bank.token()}`,
      'content-type': 'application/json',
      'idempotency-key': key,
    },
    body: JSON.stringify({ query: transfer }),
  })

const committed = async () => {
  const { body } = await bank.graph(
    `{ accountArrangement(arrangementId: "${accountId}") { balances { committed } } }`,
  )
  return Number(body.data.accountArrangement.balances[0].committed)
}

test('a transfer is not carried out when its caller disconnects before its turn', async () => {
  const before = await committed()
  const { turns } = accountQueuesOf(bank.bank)
  const turn = turns.take([accountId], 'exclusive')
  const key = randomUUID()
  const leaving = new AbortController()
  const abandoned = send(key, leaving.signal)
  // It waits for both of its accounts.
  await eventually(() => Promise.resolve(turns.size === 2))
  leaving.abort()
  await expect(abandoned).rejects.toThrow('abort')
  await sleep(100)
  turn.end()
  await eventually(() => Promise.resolve(turns.size === 0))
  expect(await committed()).toBe(before)
  // The idempotency key is still unused: the same request succeeds.
  expect(await (await send(key)).json()).toEqual({ data: { createTransfer: { state: 'SETTLED' } } })
  expect(await committed()).toBe(before - 1)
})

test('a command whose turn comes after its deadline fails with TIMEOUT', async () => {
  const { envelope, caller } = bankContext(bank.bank)
  const turn = accountQueuesOf(bank.bank).turns.take([accountId], 'exclusive')
  const late = createContext(bank.bank, caller, { ...envelope, deadlineMs: Date.now() + 50 })
  const decided = command(late, 'test', {}, async () => {
    await readHeldBalance(late, accountId)
    return { result: 'decided' }
  })
  const refused = expect(decided).rejects.toMatchObject({ code: 'TIMEOUT' })
  await sleep(60)
  turn.end()
  await refused
})
