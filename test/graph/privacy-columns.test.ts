/**
 * A text in every personal column of every row of Ada: exports contain it, and after an erasure it
 * is nowhere in the database.
 */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { happyPath } from '../rights/happy-path.ts'
import { aPrivacyBank, type PrivacyBank } from './privacy-kit.ts'
import { personalDataRegister, registeredRows } from '../../kernel/domain/personal-data.ts'
import { retentionRules } from '../../kernel/domain/retention.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import {
  columnsByTable,
  conditionOf,
  personalColumnsOf,
  quotedTable,
} from '../../subgraphs/privacy/domain/columns.ts'
import { readColumns } from '../../subgraphs/privacy/store/columns.ts'
import { readPersonalRecords } from '../../subgraphs/privacy/store/personal-record.ts'
import { performErasures } from '../../subgraphs/privacy/workers/erase.ts'

const prefix = 'Zplanted'
let privacy: PrivacyBank
/** The texts that were planted, and those of them that exports contain. */
const planted: string[] = []
const exported: string[] = []

beforeAll(async () => {
  privacy = await aPrivacyBank(true)
  for (const [name, document] of happyPath()) {
    const actor = name.endsWith('Ada') ? { partyId: 'pty_ada' } : undefined
    await privacy.bank.graph(document, {}, { token: privacy.bank.token(actor), key: name })
  }
  await plant()
})
afterAll(() => privacy.bank.stop())

/** Puts a text of its own into each personal text column. Keys and encrypted columns are left out. */
async function plant(): Promise<void> {
  const { pool } = privacy.bank.bank
  const tables = columnsByTable(await readColumns(pool))
  for (const rows of registeredRows(personalDataRegister())) {
    if (rows.party === null || retentionRules[rows.rule].years === null) continue
    for (const { name, isInVault } of personalColumnsOf(rows)) {
      const { type, isKey } = tables.get(rows.table)!.find((column) => column.name === name)!
      // Account numbers are unique, and each has a fact of its own.
      if (isKey || isInVault || name === 'account_number') continue
      if (type !== 'text' && type !== 'text[]') continue
      const text = `${prefix}-${rows.table}-${name}`
      const value = type === 'text' ? `'${text}'` : `array['${text}']`
      const { rows: counted } = await pool.query('select kernel.erase($1, $2, $3, $4) as n', [
        quotedTable(rows.table),
        `${name} = ${value}`,
        conditionOf(rows.party),
        'pty_ada',
      ])
      if (counted[0].n === 0) continue
      planted.push(text)
      if (!rows.omitted && !rows.hidden?.split(' ').includes(name)) exported.push(text)
    }
  }
}

test('texts are planted in most areas', () => {
  expect(planted.length).toBeGreaterThan(35)
  expect(new Set(planted.map((text) => text.split(/[-.]/)[1])).size).toBeGreaterThan(8)
})

test('a stored response is found by each person whom it mentions', async () => {
  const { rows } = await privacy.bank.bank.pool.query(
    `select distinct i.operation, f.subject from kernel.idempotency i
     join kernel.fact f on split_part(f.subject, '/', 1) = 'party'
       or f.subject like 'employee/%' and i.operation like '%Employee%'
     where strpos(i.answer || i.owner, '"' || split_part(f.subject, '/', 2) || '"') > 0
       and not i.persons @> array[f.subject] and i.operation not like '%Erasure'`,
  )
  expect(rows).toEqual([])
  const { rows: found } = await privacy.bank.bank.pool.query(
    `select count(distinct operation)::int as operations from kernel.idempotency
     where persons @> array['party/pty_ada']`,
  )
  expect(found[0].operations).toBeGreaterThan(30)
})

/** All records of Ada's export, as text. */
async function exportText(isForBank: boolean): Promise<string> {
  const context = bankContext(privacy.bank.bank)
  let after: string[] | null = null
  let text = ''
  for (;;) {
    const records = await readPersonalRecords(
      context,
      { partyId: 'pty_ada', isForBank, username: null },
      after,
      100,
    )
    if (records.length === 0) return text
    text += JSON.stringify(records)
    after = records.at(-1)!.sortKey
  }
}

test('the export of the bank contains the text of every column', async () => {
  const text = await exportText(true)
  expect(exported.filter((each) => !text.includes(each))).toEqual([])
})

test("the person's own export has shared documents, and not what the bank keeps to itself", async () => {
  const { pool } = privacy.bank.bank
  await pool.query(
    "update casework.document set is_shared = true, case_id = null where party_id = 'pty_ada'",
  )
  await pool.query(
    `update casework.case_file set case_type = 'fraud' where case_id =
      (select min(case_id) from casework.case_file where party_id = 'pty_ada')`,
  )
  await pool.query(
    "update assist.session set acting_party_id = null where subject_party_id = 'pty_ada'",
  )
  const text = await exportText(false)
  const planted = (place: string) => `${prefix}-${place}`
  expect(text).toContain(planted('casework.document-title'))
  const hidden = [
    'channels.interaction-notes',
    'origination.credit_decision-comment',
    'assist.session-purpose',
    'assist.session-subject',
  ].map(planted)
  // Each was planted, so that its absence says something.
  expect(hidden.filter((each) => !exported.includes(each))).toEqual([])
  expect(hidden.filter((each) => text.includes(each))).toEqual([])
})

test('while the data is restricted, an approved erasure waits', async () => {
  const { pool } = privacy.bank.bank
  await pool.query(
    `insert into privacy.erasure_request values ('ers_all', 'pty_ada', 'retention', 'x', 'approved',
      '2001-01-01', 'a', null, null, null, '', 1, now(), now())`,
  )
  await privacy.run('mutation { restrictProcessing(partyId: "pty_ada", reason: "x") { partyId } }')
  expect(await performErasures.run(bankContext(privacy.bank.bank))).toBe(0)
  expect((await privacy.search(prefix)).length).toBeGreaterThan(35)
  await privacy.run('mutation { liftRestriction(partyId: "pty_ada") { partyId } }')
})

test('an erasure after all retention periods leaves none of the texts anywhere', async () => {
  // Collateral that still secures credit is kept.
  await privacy.bank.bank.pool.query("update collateral.collateral set status = 'released'")
  expect(await performErasures.run(bankContext(privacy.bank.bank))).toBeGreaterThan(40)
  expect(await privacy.search(prefix)).toEqual([])
  const { rows } = await privacy.bank.bank.pool.query(
    "select state from privacy.erasure_request where erasure_request_id = 'ers_all'",
  )
  expect(rows).toEqual([{ state: 'completed' }])
  expect(await performErasures.run(bankContext(privacy.bank.bank))).toBe(0)
})
