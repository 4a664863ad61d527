/**
 * A money movement that waits for its turn is not carried out once its caller has stopped waiting: the
 * caller may have repeated it at another process, and been refused there.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createContext } from '../../subgraphs/_kernel/context.ts'
import { readHeldBalance } from '../../subgraphs/_ledger/hold.ts'
import { linesOf } from '../../subgraphs/_ledger/turns.ts'
import { command } from '../../subgraphs/_kernel/command.ts'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import { eventually } from '../kit/eventually.ts'
import { aFurnishedBank, type FurnishedBank } from '../contract/kit.ts'

let bank: FurnishedBank
beforeAll(async () => {
  bank = await aFurnishedBank('live', true)
  await bank.act(`mutation { openAccountArrangement(input: { arrangementId: "arr_other",
    customerId: "cus_ada", productId: "prd_current" }) { arrangementId } }`)
  // The account has what its loan paid out.
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

test('a transfer whose caller closed the connection before its turn came is not carried out', async () => {
  const before = await committed()
  const { turns } = linesOf(bank.bank)
  const turn = turns.take([accountId], 'exclusive')
  const key = randomUUID()
  const leaving = new AbortController()
  const abandoned = send(key, leaving.signal)
  // It waits in the lines of both of its accounts.
  await eventually(() => Promise.resolve(turns.size === 2))
  leaving.abort()
  await expect(abandoned).rejects.toThrow('abort')
  await sleep(100)
  turn.end()
  await eventually(() => Promise.resolve(turns.size === 0))
  expect(await committed()).toBe(before)
  // The key is still free: the same request, sent again, is carried out.
  expect(await (await send(key)).json()).toEqual({ data: { createTransfer: { state: 'SETTLED' } } })
  expect(await committed()).toBe(before - 1)
})

test('a command whose turn comes after its deadline is refused as too late', async () => {
  const { envelope, caller } = bankContext(bank.bank)
  const turn = linesOf(bank.bank).turns.take([accountId], 'exclusive')
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
