/** Rows that are kept although their retention has ended are erased as soon as they may be. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import '../../../subgraphs/index.ts'
import '../../../oauth/personal-data.ts'
import { dayMs } from '../../../kernel/domain/dates.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { privacy } from '../../../subgraphs/privacy/index.ts'
import { performErasures } from '../../../subgraphs/privacy/workers/erase.ts'
import { eraseExpired } from '../../../subgraphs/privacy/workers/retention.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(privacy)
})
afterAll(() => bank.drop())

/** A person whose relationship ended so many years ago that all periods of retention have ended. */
async function aFormerCustomer(partyId: string, endedAt = '2010-06-01'): Promise<void> {
  await bank.rows("insert into kernel.fact values ('party/' || $1, 1, $2)", [
    partyId,
    { partyId, status: 'closed' },
  ])
  await bank.rows(
    `insert into privacy.relationship_end values ('party/' || $1, $2::timestamptz,
       $2::timestamptz + interval '11 years', 1)`,
    [partyId, endedAt],
  )
}

const jobs = async () => {
  const context = bankContext(bank.bank)
  await eraseExpired.run(context)
  await performErasures.run(context)
}
const reportsOf = async (partyId: string) =>
  (await bank.rows('select state from privacy.erasure_request where party_id = $1', [partyId])).map(
    ({ state }) => state,
  )
const titleOf = async (documentId: string) =>
  (await bank.rows('select title from casework.document where document_id = $1', [documentId]))[0]![
    'title'
  ]
const hold = (documentId: string, isHeld: boolean) =>
  bank.rows('update casework.document set held_at = $2, hold_reason = $3 where document_id = $1', [
    documentId,
    isHeld ? new Date() : null,
    isHeld ? 'A lawsuit' : null,
  ])

test('a document under a legal hold is erased after the hold, also after the last period', async () => {
  await aFormerCustomer('pty_held')
  await bank.rows(
    `insert into casework.document (document_id, party_id, title, document_type, retention_class,
       status, versions, is_shared, content_hash, version, created_at, updated_at)
     values ('doc_held', 'pty_held', 'A secret', 'letter', 'contract', 'active', '[]',
       false, '', 1, now(), now())`,
  )
  await hold('doc_held', true)
  await jobs()
  expect(await reportsOf('pty_held')).toEqual(['completed'])
  expect(await titleOf('doc_held')).toBe('A secret')

  // As long as the hold lasts, nothing is done and nothing is reported.
  for (let week = 0; week < 3; week++) {
    bank.clock.advance(8 * dayMs)
    await jobs()
  }
  expect(await reportsOf('pty_held')).toEqual(['completed'])

  await hold('doc_held', false)
  bank.clock.advance(8 * dayMs)
  await jobs()
  expect(await reportsOf('pty_held')).toEqual(['completed', 'completed'])
  expect(await titleOf('doc_held')).toBe('[erased]')
  const ends = await bank.rows('select next_due_at, keeps_rows from privacy.relationship_end')
  expect(ends).toEqual([{ next_due_at: null, keeps_rows: false }])
})

test('collateral of two owners is erased when the retention of both has ended', async () => {
  await aFormerCustomer('pty_first')
  const owners = ['pty_first', 'pty_second'].map((partyId) => ({ partyId, sharePct: '50' }))
  await bank.rows(
    `insert into collateral.collateral (collateral_id, collateral_type, description, status, owners,
       identifiers, haircut_pct, prior_liens_minor, valuations, allocations, lapsed, content_hash,
       version, created_at, updated_at)
     values ('col_joint', 'vehicle', 'Their car', 'released', $1, '[]', '0', 0, 1, '[]', '{}', '',
       1, now(), now())`,
    [JSON.stringify(owners)],
  )
  await bank.rows(
    `insert into collateral.valuation (collateral_id, number, currency, market_value_minor,
       valuation_date, method, valuer, recorded_at, recorded_by)
     values ('col_joint', 1, 'EUR', 100, now(), 'appraisal', 'A valuer', now(), 'x')`,
  )
  const texts = async () =>
    (
      await bank.rows(
        `select c.description, v.valuer from collateral.collateral c
         join collateral.valuation v using (collateral_id)`,
      )
    )[0]
  await jobs()
  expect(await texts()).toEqual({ description: 'Their car', valuer: 'A valuer' })

  // The second owner is a former customer, too, but the bank must still keep the contracts.
  await aFormerCustomer('pty_second', '2020-06-01')
  bank.clock.advance(8 * dayMs)
  await jobs()
  expect(await texts()).toEqual({ description: 'Their car', valuer: 'A valuer' })

  bank.clock.set('2031-01-02T00:00:00.000Z')
  await jobs()
  expect(await texts()).toEqual({ description: null, valuer: null })
})
