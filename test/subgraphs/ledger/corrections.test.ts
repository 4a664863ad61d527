/** A finding is recorded, suspends its accounts, and is corrected from the entries under four eyes. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLedger } from '../../../ledger/check.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { checkBooks } from '../../../subgraphs/payments/workers/ledger.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, contextOf, pay, post } from '../payments/kit.ts'
import { aggregateAll } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
})
afterAll(() => bank.drop())

const check = () => checkBooks.run(contextOf(bank))
const olga = { caller: aCaller({ subject: 'olga' }) }
const peter = { caller: aCaller({ subject: 'peter' }) }

/** Changes rows as the owner of the database could, bypassing every trigger. */
async function damage(...statements: string[]) {
  const client = await bank.bank.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    for (const sql of statements) await client.query(sql)
    await client.query('commit')
  } finally {
    client.release()
  }
}

const fields = `correctionId state decidedBy before { committedCredit } after { committedCredit }`

async function propose(accountId: string) {
  const { data, code } = await bank.execute(
    `mutation ($input: ProposeBalanceCorrectionInput!) {
      correction: proposeBalanceCorrection(input: $input) { ${fields} }
    }`,
    { input: { accountId, reason: 'A check found it inconsistent after a restore.' } },
    olga,
  )
  return { ...(data?.correction as { correctionId: string; state: string }), code }
}

const decide = (act: 'approve' | 'reject', correctionId: string, who = peter) =>
  bank.execute(
    `mutation ($id: ID!) { correction: ${act}BalanceCorrection(correctionId: $id) { ${fields} } }`,
    { id: correctionId },
    who,
  )

const balanceOf = async (accountId: string) =>
  (
    await bank.rows(
      `select committed_credit::int as credit, is_suspended as suspended, entry_count::int as entries
        from ledger.balance where account_id = $1`,
      [accountId],
    )
  )[0]!

test('suspends an account with a wrong balance until a second person approves its correction', async () => {
  await anAccount(bank, 'arr_wrong')
  for (let at = 0; at < 3; at++) await post(bank, pay('arr_wrong', '10.00'))
  await damage(
    `update ledger.balance set committed_credit = 2500 where account_id = 'arr_wrong'`,
    `update ledger.entry set committed_after = 2500, available_after = 2500
      where account_id = 'arr_wrong' and sequence = 3`,
  )
  await check()
  expect(await balanceOf('arr_wrong')).toMatchObject({ suspended: true })
  expect((await post(bank, pay('arr_wrong', '1.00'))).code).toBe('ACCOUNT_SUSPENDED')
  const raised = (await bank.events()).filter(
    ({ type }) => type === 'payments.ledger-finding.raised',
  )
  expect(raised.map(({ data }) => data['accountIds'])).toEqual([['arr_wrong'], ['arr_wrong']])

  const { correctionId, state } = await propose('arr_wrong')
  expect(state).toBe('PROPOSED')
  expect((await propose('arr_wrong')).code).toBe('RESOURCE_EXISTS')
  expect((await decide('approve', correctionId, olga)).code).toBe('SEGREGATION_OF_DUTIES')
  expect(await balanceOf('arr_wrong')).toMatchObject({ credit: 2500 })

  const approved = await decide('approve', correctionId)
  expect(approved.data.correction).toEqual({
    correctionId,
    state: 'APPROVED',
    decidedBy: 'peter',
    before: { committedCredit: '25.00' },
    after: { committedCredit: '30.00' },
  })
  expect((await decide('reject', correctionId)).code).toBe('INVALID_STATE_TRANSITION')
  await check()
  expect(await balanceOf('arr_wrong')).toMatchObject({ credit: 3000, suspended: false })
  expect((await post(bank, pay('arr_wrong', '1.00'))).code).toBe(undefined)
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

test('corrects a balance whose entries skip a number, and continues after the gap', async () => {
  await anAccount(bank, 'arr_gap')
  for (let at = 0; at < 3; at++) await post(bank, pay('arr_gap', '10.00'))
  await damage(`update ledger.entry set sequence = 7 where account_id = 'arr_gap' and sequence = 3`)
  await check()
  expect(await balanceOf('arr_gap')).toMatchObject({ suspended: true })
  await decide('approve', (await propose('arr_gap')).correctionId)
  await check()
  expect(await balanceOf('arr_gap')).toEqual({ credit: 3000, suspended: false, entries: 7 })
  expect((await post(bank, pay('arr_gap', '1.00'))).code).toBe(undefined)
  expect(await checkLedger(bank.bank.pool)).toEqual([])
})

test('corrects an internal account without suspending it', async () => {
  await anAccount(bank, 'arr_payer')
  await post(bank, pay('arr_payer', '10.00'))
  await aggregateAll(bank)
  await damage(
    `update ledger.balance set committed_debit = committed_debit + 5 where account_id = 'settlement/EUR'`,
  )
  await check()
  expect((await post(bank, pay('arr_payer', '10.00'))).code).toBe(undefined)
  const approved = await decide('approve', (await propose('settlement/EUR')).correctionId)
  expect(approved.errors).toEqual([])
  await aggregateAll(bank)
  await check()
  expect(await checkLedger(bank.bank.pool)).toEqual([])
  const open = await bank.rows('select from ledger.finding where resolved_at is null')
  expect(open).toEqual([])
})

test('changes nothing when a correction is rejected, and accepts another proposal', async () => {
  await anAccount(bank, 'arr_fine')
  const { correctionId } = await propose('arr_fine')
  expect((await decide('reject', correctionId)).data.correction.state).toBe('REJECTED')
  expect((await propose('arr_fine')).code).toBe(undefined)
  expect((await propose('arr_nobody')).code).toBe('ARRANGEMENT_NOT_FOUND')
  expect((await decide('approve', 'bco_none')).code).toBe('CORRECTION_NOT_FOUND')
  const listed = await bank.execute(
    `{ balanceCorrections(accountId: "arr_fine", first: 10) { nodes { correctionId state } } }`,
  )
  expect(listed.data.balanceCorrections.nodes.map(({ state }: { state: string }) => state)).toEqual(
    ['REJECTED', 'PROPOSED'],
  )
})
