/** The invariants of the ledger, one test each. That a facility agrees with its account is tested in lending. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { readAccountBalanceAt } from '../../../ledger/entries.ts'
import { readTrialBalance } from '../../../ledger/trial-balance.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { random } from '../../kit/random.ts'
import { aSubgraph, type Answer, type TestBank, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from '../payments/kit.ts'
import { aBusyDay, balancesOf, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
let testBanks: [TestBank, TestBank]
beforeAll(async () => {
  bank = await aSubgraph(payments)
  testBanks = [bank, bank.another()]
  await aBusyDay(bank, 'busy')
})
afterAll(() => bank.drop())

let serial = 0
/** An account that only one test uses, with money on it. */
async function funded(amount: string, overdraftLimitMinor = 0n): Promise<string> {
  const id = `arr_own-${++serial}`
  await anAccount(bank, id, { overdraftLimitMinor })
  if (amount !== '0.00') expect((await post(bank, pay(id, amount))).errors).toEqual([])
  return id
}
const transfer = (debtorArrangementId: string, creditorArrangementId: string, amount: string) => ({
  debtorArrangementId,
  creditorArrangementId,
  amount: eur(amount),
})
const authorize = (arrangementId: string, clientTransactionId: string, amount: string) => ({
  type: 'OUTBOUND_AUTHORIZATION',
  arrangementId,
  clientTransactionId,
  amount: eur(amount),
})
const accepted = (answers: readonly Answer[]) =>
  answers.filter(({ code }) => code === undefined).length
const idOf = (answer: Answer): string => answer.data.createPostingInstruction.postingInstructionId
const tally = () =>
  bank.rows(`select (select count(*) from ledger.entry)::int as entries,
    (select count(*) from ledger.authorization)::int as chains,
    (select string_agg(account_id || ' ' || stamp, ',' order by account_id) from ledger.balance) as versions`)

test('1. Debits equal credits per posting, per batch and in total, in every currency', async () => {
  const differing = await bank.rows(`select 1 from ledger.entry join ledger.posting_instruction p
    using (posting_instruction_id) group by coalesce(batch_id, posting_instruction_id), currency, phase
    having sum(case side when 'debit' then amount else -amount end) <> 0`)
  expect(differing).toEqual([])
  const totals = await readTrialBalance(bank.bank.pool, null, null)
  expect(totals.map(({ currency }) => currency)).toEqual(['EUR', 'USD'])
  for (const { debitMinor, creditMinor } of totals) {
    expect(debitMinor).toBeGreaterThan(0n)
    expect(debitMinor).toBe(creditMinor)
  }
  const then = await readTrialBalance(bank.bank.pool, null, bank.bank.now())
  expect(then).toEqual(totals)
})

describe('2. Entry amounts are positive and totals are never negative', () => {
  test.each([0, -1])('the database rejects an entry of %i', async (amount) => {
    const insert = bank.rows(
      `insert into ledger.entry values ('a', 'default', 1, 'pin_x', 1, 'committed', 'debit', $1, 'EUR', now(), now())`,
      [amount],
    )
    await expect(insert).rejects.toMatchObject({ code: '23514' })
  })

  test.each(['committed_debit', 'pending_in_credit', 'pending_out_debit', 'overdraft_limit'])(
    'the database rejects a negative %s',
    async (column) => {
      const update = bank.rows(`update ledger.balance set ${column} = -1`)
      await expect(update).rejects.toMatchObject({ code: '23514' })
    },
  )
})

test('3. A balance is the sum of its entries', async () => {
  const entries = await bank.rows(
    'select * from ledger.entry order by account_id, address, sequence',
  )
  const rebuilt = new Map<string, bigint>()
  for (const { account_id: id, phase, side, amount } of entries) {
    const key = `${id} ${phase} ${side}`
    rebuilt.set(key, (rebuilt.get(key) ?? 0n) + BigInt(amount))
  }
  const balances = await bank.rows('select * from ledger.current_balance')
  expect(balances.length).toBeGreaterThan(6)
  for (const balance of balances) {
    for (const phase of ['committed', 'pending-in', 'pending-out']) {
      for (const side of ['debit', 'credit']) {
        const stored = BigInt(balance[`${phase.replace('-', '_')}_${side}`])
        expect(stored).toBe(rebuilt.get(`${balance['account_id']} ${phase} ${side}`) ?? 0n)
      }
    }
  }
})

test('4. Available is never below the limit at any point of the journal, under concurrent writes', async () => {
  const ids = [await funded('20.00'), await funded('20.00', 500n), await funded('0.00', 300n)]
  const dice = random(4)
  const answers = await Promise.all(
    Array.from({ length: 400 }, () => {
      const from = ids[Math.floor(dice() * 3)]!
      const to = ids[Math.floor(dice() * 3)]!
      return post(testBanks[dice() < 0.5 ? 0 : 1]!, transfer(from, to, (dice() * 9 + 1).toFixed(2)))
    }),
  )
  expect(new Set(answers.map(({ code }) => code))).toEqual(
    new Set([undefined, 'INSUFFICIENT_FUNDS', 'SAME_ACCOUNT']),
  )
  const limits = new Map([
    [ids[0], 0n],
    [ids[1], 500n],
    [ids[2], 300n],
  ])
  const entries = await bank.rows(
    'select * from ledger.entry where account_id = any($1) order by account_id, sequence',
    [ids],
  )
  const held = new Map<string, bigint>()
  for (const { account_id: id, side, amount, available_after: after } of entries) {
    const sum = (held.get(id) ?? 0n) + (side === 'credit' ? BigInt(amount) : -BigInt(amount))
    held.set(id, sum)
    expect(sum + limits.get(id)!).toBeGreaterThanOrEqual(0n)
    expect(BigInt(after)).toBe(sum + limits.get(id)!)
  }
})

test('5. The authorized amount is settled, released or open at every step of an authorization', async () => {
  const id = await funded('100.00')
  const chain = { clientTransactionId: `five-${id}` }
  const steps: [object, number[]][] = [
    [authorize(id, chain.clientTransactionId, '50.00'), [5000, 0, 0, 5000]],
    [{ ...chain, type: 'AUTHORIZATION_ADJUSTMENT', amount: eur('10.00') }, [6000, 0, 0, 6000]],
    [{ ...chain, type: 'SETTLEMENT', amount: eur('25.00') }, [6000, 2500, 0, 3500]],
    [{ ...chain, type: 'AUTHORIZATION_ADJUSTMENT', amount: eur('-5.00') }, [5500, 2500, 0, 3000]],
    [{ ...chain, type: 'SETTLEMENT', amount: eur('5.00'), final: true }, [5500, 3000, 2500, 0]],
  ]
  for (const [input, figures] of steps) {
    expect((await post(bank, input)).errors).toEqual([])
    const [row] = await bank.rows(
      'select array[authorized, settled, released, open]::int[] as figures from ledger.authorization where client_transaction_id = $1',
      [chain.clientTransactionId],
    )
    expect(row!['figures']).toEqual(figures)
  }
  expect(await balancesOf(bank, [id])).toEqual([`${id} 7000 0 0`])
})

test('6. A rejection writes no entry and changes no balance and no stamp', async () => {
  const [poor, rich] = [await funded('1.00'), await funded('9.00')]
  const before = await tally()
  const good = transfer(rich, poor, '1.00')
  const bad = transfer(poor, rich, '5.00')
  const inputs = [bad, authorize(poor, 'six', '5.00'), { instructions: [good, good, bad] }]
  for (const input of inputs) expect((await post(bank, input)).code).toBe('INSUFFICIENT_FUNDS')
  expect(await tally()).toEqual(before)
})

test('7. Repeating an idempotency key replays one response and writes entries once', async () => {
  const [from, to] = [await funded('5.00'), await funded('0.00')]
  const send = (testBank: TestBank) =>
    post(testBank, transfer(from, to, '1.00'), { idempotencyKey: `seven-${from}` })
  const atOnce = await Promise.all(
    testBanks.flatMap((testBank) => Array.from({ length: 8 }, () => send(testBank))),
  )
  const later = [await send(testBanks[0]), await send(testBanks[1])]
  for (const { data } of [...atOnce, ...later]) expect(data).toEqual(atOnce[0]!.data)
  expect([...atOnce, ...later].filter(({ isReplayed }) => !isReplayed)).toHaveLength(1)
  expect(await balancesOf(bank, [from, to])).toEqual([`${from} 400 0 0`, `${to} 100 0 0`])
})

test('8. Reusing an idempotency key with a different body writes nothing', async () => {
  const [from, to] = [await funded('5.00'), await funded('0.00')]
  const key = { idempotencyKey: `eight-${from}` }
  await post(bank, transfer(from, to, '1.00'), key)
  const before = await tally()
  for (const testBank of testBanks) {
    const answer = await post(testBank, transfer(from, to, '2.00'), key)
    expect(answer.code).toBe('IDEMPOTENCY_KEY_REUSED')
  }
  expect(await tally()).toEqual(before)
})

test('9. A reversal restores the balances and happens once, also in a race', async () => {
  const ids = [await funded('50.00'), await funded('50.00')]
  for (let round = 0; round < 10; round++) {
    const before = await balancesOf(bank, ids)
    const done = await post(bank, transfer(ids[0]!, ids[1]!, '7.00'))
    const reversals = await Promise.all(
      [...testBanks, ...testBanks].map((testBank) => post(testBank, { reversesId: idOf(done) })),
    )
    expect(accepted(reversals)).toBe(1)
    const refused = reversals.filter(({ code }) => code !== undefined)
    expect(new Set(refused.map(({ code }) => code))).toEqual(new Set(['ALREADY_REVERSED']))
    expect(await balancesOf(bank, ids)).toEqual(before)
  }
})

test('10. 64 concurrent writers over five accounts on two processes do not deadlock', async () => {
  const ids = await Promise.all(Array.from({ length: 5 }, () => funded('50.00')))
  const dice = random(10)
  const one = () => ids[Math.floor(dice() * 5)]!
  const workers = Array.from({ length: 64 }, async (_, worker) => {
    for (let at = 0; at < 8; at++) {
      const single = () => transfer(one(), one(), '1.00')
      const input = dice() < 0.3 ? { instructions: [single(), single(), single()] } : single()
      const { code } = await post(testBanks[worker % 2]!, input)
      expect([undefined, 'INSUFFICIENT_FUNDS', 'SAME_ACCOUNT']).toContain(code)
    }
  })
  await Promise.all(workers)
  const held = await bank.rows(
    'select sum(committed_credit - committed_debit)::int as sum from ledger.balance where account_id = any($1)',
    [ids],
  )
  expect(held).toEqual([{ sum: 25_000 }])
})

test('11. Each currency balances by itself; an exchange goes through the position accounts', async () => {
  const [euros, dollars] = [await funded('50.00'), `arr_usd-${++serial}`]
  await anAccount(bank, dollars, { currency: 'USD' })
  const input = {
    ...transfer(euros, dollars, '10.00'),
    creditorAmount: { amount: '11.00', currency: 'USD' },
    fxOverrideReason: 'A test.',
  }
  const { data, errors } = await post(bank, input)
  expect(errors).toEqual([])
  const { entries } = data.createPostingInstruction
  const lines = entries.map(
    ({ account, side, amount, currency }: Record<string, string>) =>
      `${account} ${side} ${amount} ${currency}`,
  )
  expect(lines).toEqual([
    `${euros} DEBIT 10.00 EUR`,
    'fx-position/EUR CREDIT 10.00 EUR',
    'fx-position/USD DEBIT 11.00 USD',
    `${dollars} CREDIT 11.00 USD`,
  ])
})

test('12. Every posting is published exactly once, in the order of commits', async () => {
  await writeAllCheckpoints(bank)
  const unpublished =
    await bank.rows(`select posting_instruction_id from ledger.posting_instruction p
    where (select count(*) from kernel.event e
      where e.subject = 'posting-instruction/' || p.posting_instruction_id) <> 1`)
  expect(unpublished).toEqual([])
  const disordered = await bank.rows(`select * from (select e.account_id, e.sequence,
      lag(v.position) over (partition by e.account_id order by e.sequence) > v.position as is_before
    from ledger.entry e join kernel.event v on v.subject = 'posting-instruction/' || e.posting_instruction_id
    join ledger.account a using (account_id) where a.policy = 'guarded') o where is_before`)
  expect(disordered).toEqual([])
})

test('13. The balance at a past instant does not change with later postings', async () => {
  const id = await funded('10.00')
  const before = bank.bank.now()
  const known: [Date, bigint][] = [[before, 1000n]]
  for (let hour = 1; hour <= 5; hour++) {
    bank.clock.advance(3_600_000)
    await post(bank, { ...pay(id, '1.00'), valueDate: '2026-03-01' })
    await post(bank, pay(id, '1.00'))
    known.push([bank.bank.now(), 1000n + BigInt(hour) * 200n])
    for (const [at, committedMinor] of known) {
      expect(await readAccountBalanceAt(bank.bank.pool, id, at)).toMatchObject({ committedMinor })
    }
  }
  // Also when the clock goes back: the posting is booked at the account's latest time.
  bank.clock.set(before)
  await post(bank, pay(id, '1.00'))
  for (const [at, committedMinor] of known.slice(0, -1)) {
    expect(await readAccountBalanceAt(bank.bank.pool, id, at)).toMatchObject({ committedMinor })
  }
})

test('14. Exactly one of two concurrent authorizations gets the last available amount, in 100 rounds', async () => {
  const id = await funded('0.00')
  for (let round = 0; round < 100; round++) {
    await post(bank, pay(id, '1.00'))
    const wants = testBanks.map((testBank, at) =>
      post(testBank, authorize(id, `last-${round}-${at}`, '1.00')),
    )
    const codes = (await Promise.all(wants)).map(({ code }) => code)
    expect(new Set(codes)).toEqual(new Set([undefined, 'INSUFFICIENT_FUNDS']))
  }
})

test('the ledger check reports no findings after all of the above', async () => {
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})
