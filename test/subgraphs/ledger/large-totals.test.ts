/** Totals of internal accounts and of the general ledger have no maximum; amounts and balances have one. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { bookedLeg } from '../../../ledger/domain/balance.ts'
import { decide } from '../../../ledger/domain/posting.ts'
import { termsAt } from '../../../ledger/journal.ts'
import { StoredBooks } from '../../../ledger/read.ts'
import { readTrialBalance, totalBookingDays } from '../../../ledger/trial-balance.ts'
import { dateCommittedPostings } from '../../../subgraphs/general-ledger/commands/date-postings.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { random } from '../../kit/random.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from '../payments/kit.ts'
import { aggregateAll, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

const largest = '999999999999999.99'
const largestMinor = 99_999_999_999_999_999n
const entry = (account: string, side: 'DEBIT' | 'CREDIT', amount: string) => ({
  account,
  side,
  amount: eur(amount),
})

/** The totals of an account with an address, as the ledger has them and as its entries add up. */
async function totalsOf(accountId: string): Promise<[string, string]> {
  const [row] = await bank.rows(
    `select b.committed_debit || ' ' || b.committed_credit as read,
       coalesce(sum(e.amount) filter (where side = 'debit'), 0) || ' ' ||
         coalesce(sum(e.amount) filter (where side = 'credit'), 0) as added
     from ledger.current_balance b join ledger.entry e using (account_id, address)
     where account_id = $1 group by b.committed_debit, b.committed_credit`,
    [accountId],
  )
  return [row!['read'] as string, row!['added'] as string]
}

/** One person proposes a correction of an account, and another approves it. */
async function correct(accountId: string) {
  const { data } = await bank.execute(
    `mutation { proposeBalanceCorrection(input: { accountId: "${accountId}", reason: "A test." }) { correctionId } }`,
    {},
    { caller: aCaller({ subject: 'olga' }) },
  )
  const approved = await bank.execute(
    'mutation ($id: ID!) { approveBalanceCorrection(correctionId: $id) { state } }',
    { id: data.proposeBalanceCorrection.correctionId },
    { caller: aCaller({ subject: 'peter' }) },
  )
  expect(approved.errors).toEqual([])
}

test('customers pay in and out the largest amounts, and every total is exact', async () => {
  for (let at = 1; at <= 12; at++) {
    const id = `arr_rich-${at}`
    await anAccount(bank, id)
    const inAndOut = [pay(id, largest), { ...pay(id, largest), direction: 'OUT' }]
    const instructions = Array.from({ length: 20 }, () => inAndOut).flat()
    expect((await post(bank, { instructions })).errors).toEqual([])
    if (at % 4 === 0) await aggregateAll(bank)
    const [read, added] = await totalsOf('settlement/EUR')
    expect(read).toBe(added)
    expect(BigInt(read.split(' ')[0]!)).toBe(BigInt(at) * 20n * largestMinor)
  }
  const carried = await bank.rows('select committed_debit from ledger.carried_amount')
  expect(carried.length).toBeGreaterThan(1)
  const [totals] = await readTrialBalance(bank.bank.pool, 'EUR', null)
  expect(totals!.debitMinor).toBe(totals!.creditMinor)
  expect(totals!.debitMinor).toBeGreaterThan(2n ** 64n)
})

test('days, accounting dates and the check of the books go on', async () => {
  await writeAllCheckpoints(bank)
  while ((await totalBookingDays(bank.bank.pool)) > 0);
  await dateCommittedPostings(bankContext(bank.bank))
  const [now] = await readTrialBalance(bank.bank.pool, 'EUR', null)
  const [then] = await readTrialBalance(bank.bank.pool, 'EUR', new Date('2999-01-01'))
  expect(then).toEqual(now)
  const [dated] = await bank.rows(
    `select sum(debit_minor)::text as debit, sum(credit_minor)::text as credit
     from general_ledger.daily_total`,
  )
  expect(dated).toEqual({ debit: `${now!.debitMinor}`, credit: `${now!.creditMinor}` })
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

test('reading the balances of customers looks for no entries', async () => {
  const [plan] = await bank.rows(
    "explain (analyze, format json) select * from ledger.current_balance where account_id like 'arr_rich-%'",
  )
  const scans = JSON.stringify(plan!['QUERY PLAN']).match(
    /"Relation Name":"[^}]*?"Actual Loops":\d+/g,
  )!
  const loops = scans.map((scan) => `${/\w+/.exec(scan.slice(17))![0]} ${/\d+$/.exec(scan)![0]}`)
  expect(loops.toSorted()).toContain('entry 0')
  expect(loops.toSorted()).toContain('carried_amount 0')
})

test('one posting has a maximum in all', async () => {
  const legs = (count: number, amount: string) =>
    Array.from({ length: count }, () => [
      entry('nostro/EUR', 'DEBIT', amount),
      entry('suspense/EUR', 'CREDIT', amount),
    ]).flat()
  const { data, errors } = await post(bank, { entries: legs(41, largest) })
  expect(data?.createPostingInstruction ?? null).toBeNull()
  expect(errors[0]).toMatchObject({
    extensions: { code: 'LIMIT_EXCEEDED', errors: [{ pointer: '/entries' }] },
  })
  expect((await post(bank, { entries: legs(40, largest) })).errors).toEqual([])
})

test('a wrong total of an internal account is found and corrected, and what was carried stays', async () => {
  await aggregateAll(bank)
  await bank.rows('alter table ledger.balance disable trigger entered')
  await bank.rows(
    `update ledger.balance set committed_debit = committed_debit + 5, stamp = gen_random_uuid()
     where account_id = 'settlement/EUR'`,
  )
  await bank.rows('alter table ledger.balance enable trigger entered')
  expect((await checkLedger(bank.bank.pool)).map(({ subject }) => subject)).toEqual([
    'settlement/EUR default',
  ])
  await correct('settlement/EUR')
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  const [read, added] = await totalsOf('settlement/EUR')
  expect(read).toBe(added)
})

test.each([
  ['too much', '9000000000000000000'],
  ['too little', '-9000000000000000000'],
])('%s that was carried is found and corrected at once', async (_, amount) => {
  await bank.rows(
    `insert into ledger.carried_amount values
       ('settlement/EUR', 'default', gen_random_uuid(), ${amount}, 0, 0, 0, 0, 0)`,
  )
  expect((await checkLedger(bank.bank.pool)).map(({ subject }) => subject)).toContain(
    'settlement/EUR default',
  )
  await correct('settlement/EUR')
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  await post(bank, { ...pay('arr_rich-1', '1.00') })
  await aggregateAll(bank)
  const [read, added] = await totalsOf('settlement/EUR')
  expect(read).toBe(added)
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

test('a posting that was booked before it had a maximum is reversed', () => {
  const books = new StoredBooks()
  const leg = (accountId: string, side: 'debit' | 'credit') =>
    bookedLeg(accountId, side, largestMinor, 'EUR')
  const legs = Array.from({ length: 41 }, () => [
    leg('nostro/EUR', 'debit'),
    leg('suspense/EUR', 'credit'),
  ]).flat()
  books.posts.set('pin_former', {
    postingInstructionId: 'pin_former',
    type: 'custom',
    legs,
    reversedBy: null,
  })
  const now = bank.bank.now()
  const origin = { postingInstructionId: 'pin_new', clientId: 'test', actingFor: null, now }
  const posted = decide(books, { ...termsAt(now), type: 'custom', legs }, origin)
  expect(posted).toMatchObject({ violations: [{ code: 'LIMIT_EXCEEDED' }] })
  const reversal = { ...termsAt(now), type: 'reversal' as const, reversesId: 'pin_former' }
  expect(decide(books, reversal, origin).status).toBe('accepted')
})

test('agrees with the entries after every step of a random life', async () => {
  const draw = random(64)
  for (let step = 0; step < 60; step++) {
    const amount = `${Math.floor(draw() * 9e14)}.${10 + Math.floor(draw() * 89)}`
    const accounts = draw() < 0.5 ? ['nostro/EUR', 'suspense/EUR'] : ['suspense/EUR', 'nostro/EUR']
    const entries = Array.from({ length: 1 + Math.floor(draw() * 40) }, () => [
      entry(accounts[0]!, 'DEBIT', amount),
      entry(accounts[1]!, 'CREDIT', amount),
    ]).flat()
    expect((await post(bank, { entries })).errors).toEqual([])
    if (draw() < 0.3) await aggregateAll(bank)
    const [read, added] = await totalsOf('nostro/EUR')
    expect(read).toBe(added)
  }
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})
