/** What an event of a posting says is its line of the journal: the log does not keep it again. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf, readLines } from '../../../subgraphs/_ledger/line.ts'
import { readPostings } from '../../../subgraphs/_ledger/read.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from '../payments/kit.ts'
import { aBusyDay, sealAll } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
})
afterAll(() => bank.drop())

test('every posting tells its entries as the journal has them, and the log keeps none of it', async () => {
  await aBusyDay(bank, 'day')
  await sealAll(bank)
  const told = (await bank.events()).filter(({ type }) => type.startsWith('payments.posting-'))
  const entries = await bank.rows(
    `select posting_instruction_id as id, json_agg(json_build_array(account_id, phase, side,
      (amount / 100.0)::numeric(20, 2)::text, currency) order by ordinal) as lines
     from ledger.entry group by 1`,
  )
  const lines = new Map(entries.map(({ id, lines: each }) => [id, each]))
  expect(told).toHaveLength(18)
  for (const { subject, data } of told) {
    const { postingInstructionId: id, entries: said } = data as Record<string, any>
    expect(subject).toBe(`posting-instruction/${id}`)
    expect(said.map(Object.values)).toEqual(lines.get(id) ?? [])
  }
  const [kept] = await bank.rows(
    `select count(*)::int as kept from kernel.event where type like 'payments.posting-%' and data is not null`,
  )
  expect(kept!['kept']).toBe(0)
})

test('a line reads back as it was sent, whatever its texts are', async () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((each) => !each.includes('\0') && each.isWellFormed())
  const plain = text.filter((each) => !/\p{Cc}/u.test(each))
  await fc.assert(
    fc.asyncProperty(plain, text, async (chain, remittance) => {
      const { data, errors } = await post(bank, {
        ...pay('arr_ada', '1.00'),
        clientTransactionId: chain,
        remittanceInformation: remittance,
        counterparty: { name: remittance },
      })
      expect(errors).toEqual([])
      const { postingInstructionId: id } = data.createPostingInstruction
      const [written] = await bank.rows(
        'select digest from ledger.posting_instruction where posting_instruction_id = $1',
        [id],
      )
      const read = (await readLines(bank.bank.pool, [id])).get(id)!
      expect(read.digest).toBe(written!['digest'])
      const [record] = await readPostings(bank.bank.pool, [id])
      expect(lineOf(record!).posting).toBe(read.posting)
    }),
    { numRuns: 40 },
  )
})

test('a rejection says why', async () => {
  const { data } = await post(bank, {
    debtorArrangementId: 'arr_ada',
    creditorArrangementId: 'arr_nobody',
    amount: eur('1.00'),
  })
  expect(data).toBeNull()
  const last = (await bank.events()).at(-1)!
  expect(last).toMatchObject({
    type: 'payments.posting-instruction.rejected',
    data: { status: 'rejected', entries: [], violations: [{ code: 'ARRANGEMENT_NOT_FOUND' }] },
  })
})
