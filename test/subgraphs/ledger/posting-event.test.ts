/** The data of a posting's event is its line of the journal: the event log stores no second copy. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { lineOf, readLines } from '../../../ledger/line.ts'
import { readPostings } from '../../../ledger/read.ts'
import { payments } from '../../../subgraphs/payments/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from '../payments/kit.ts'
import { aBusyDay, writeAllCheckpoints } from './kit.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  await anAccount(bank, 'arr_ada')
})
afterAll(() => bank.drop())

test('publishes the entries of every posting as journaled, without storing them in the event log', async () => {
  await aBusyDay(bank, 'day')
  await writeAllCheckpoints(bank)
  const published = (await bank.events()).filter(({ type }) => type.startsWith('payments.posting-'))
  const entries = await bank.rows(
    `select posting_instruction_id as id, json_agg(json_build_array(account_id, phase, side,
      (amount / 100.0)::numeric(20, 2)::text, currency) order by ordinal) as lines
     from ledger.entry group by 1`,
  )
  const lines = new Map(entries.map(({ id, lines: each }) => [id, each]))
  expect(published).toHaveLength(18)
  for (const { subject, data } of published) {
    const { postingInstructionId: id, entries: described } = data as Record<string, any>
    expect(subject).toBe(`posting-instruction/${id}`)
    expect(described.map(Object.values)).toEqual(lines.get(id) ?? [])
  }
  const [retained] = await bank.rows(
    `select count(*)::int as kept from kernel.event where type like 'payments.posting-%' and data is not null`,
  )
  expect(retained!['kept']).toBe(0)
})

test('reads a journal line back as it was written, with any text content', async () => {
  const text = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 40 })
    .filter((each) => !each.includes('\0') && each.isWellFormed())
  const reference = text.filter((each) => !/[\p{Cc}\p{Cf}]/u.test(each) && each.trim() !== '')
  await fc.assert(
    fc.asyncProperty(reference, text, async (transactionId, remittance) => {
      const { data, errors } = await post(bank, {
        ...pay('arr_ada', '1.00'),
        clientTransactionId: transactionId,
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

test('publishes a rejected posting with its violations', async () => {
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
