/** With encryption on, a copy of the database shows nothing about a person. */
import { Client } from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  columnOf,
  personalDataRegister,
  registeredRows,
} from '../../kernel/domain/personal-data.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { encryptStored } from '../../subgraphs/privacy/workers/encrypt.ts'
import { freshDatabase, type FreshDatabase } from '../kit/database.ts'
import {
  aPersonEverywhere,
  aPrivacyBank,
  markers,
  officer,
  type PrivacyBank,
} from './privacy-kit.ts'

let database: FreshDatabase
let thief: Client
let privacy: PrivacyBank
const alarms: { msg: string; place?: string }[] = []
const log = pino(
  { level: 'error' },
  { write: (line: string) => void alarms.push(JSON.parse(line)) },
)
const on = { ENCRYPT_PERSONAL_DATA: 'on' }

beforeAll(async () => {
  database = await freshDatabase()
  thief = new Client(database.url)
  thief.on('error', () => undefined)
  await thief.connect()
  privacy = await aPrivacyBankOn(on)
  await aPersonEverywhere(privacy)
})
afterAll(async () => {
  await privacy.bank.stop()
  await thief.end()
  await database.drop()
})

const aPrivacyBankOn = (settings: Record<string, string>) =>
  aPrivacyBank(false, settings, database.url, log)

/** The columns whose stored text contains one of the markers, by what a thief reads. */
async function readableColumns(): Promise<string[]> {
  const { rows: columns } = await thief.query<{ schema: string; table: string; name: string }>(
    `select table_schema as schema, table_name as table, column_name as name
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
  )
  const found: string[] = []
  for (const { schema, table, name } of columns) {
    const sql = `select 1 from "${schema}"."${table}" where "${name}"::text ~* $1 limit 1`
    const { rowCount } = await thief.query(sql, [Object.values(markers).join('|')])
    if (rowCount) found.push(`${schema}.${table}.${name}`)
  }
  return found.sort()
}

const plainColumns = () =>
  new Set(
    registeredRows(personalDataRegister()).flatMap(({ table, personal }) =>
      Object.entries(personal).flatMap(([name, declared]) =>
        columnOf(declared).plain === undefined ? [] : [`${table}.${name}`],
      ),
    ),
  )

const readAll = `{
  party(partyId: "pty_mona") { givenName familyName contactPoints { address } }
  case(caseId: "case_mona") { title }
  payment(paymentId: "pay_mona") { creditorName remittanceInformation }
}`
const original = {
  party: {
    givenName: markers.name,
    familyName: markers.name,
    contactPoints: [{ address: `${markers.address}@example.com` }],
  },
  case: { title: markers.title },
  payment: { creditorName: markers.payee, remittanceInformation: markers.remittance },
}
const foundBy = async (search: string) =>
  (await privacy.run(`{ parties(search: "${search}") { nodes { partyId } } }`)).parties.nodes

/** Runs the job that encrypts stored rows until nothing is left. */
async function encryptAll({ bank }: PrivacyBank): Promise<void> {
  const left = `select from kernel.encryption_progress where finished_at is null`
  do await encryptStored.run(bankContext(bank.bank))
  while ((await thief.query(left)).rowCount)
}

const keyVersions = async () =>
  (
    await thief.query<{ version: string }>(
      `select distinct split_part(given_name, '~', 3) as version from parties.party
       where given_name is not null order by 1`,
    )
  ).rows.map(({ version }) => version)

const knownPlain = ['ledger.posting_instruction.details']

test('no column shows a text about the person, except one that is declared as plain', async () => {
  expect(await readableColumns()).toEqual(knownPlain)
  for (const name of knownPlain) expect(plainColumns()).toContain(name)
})

test('the files of the database show no name, address, message or case text', async () => {
  await thief.query('checkpoint')
  const { rows } = await thief.query<{ name: string; content: Buffer }>(
    `select f as name, pg_read_binary_file('base/' || d.oid || '/' || f, true) as content
     from pg_database d, pg_ls_dir('base/' || d.oid) f
     where datname = current_database() and f <> all (select pg_relation_filenode(c.oid)::text
       from pg_class c, pg_class j where j.oid = 'ledger.posting_instruction'::regclass
         and c.oid in (j.oid, j.reltoastrelid))`,
  )
  const isShown = (text: string) => rows.some(({ content }) => content.includes(text))
  expect(isShown('pty_mona')).toBe(true)
  expect(Object.values(markers).filter(isShown)).toEqual([])
})

test('the graph, the search and the export of the data return the original texts', async () => {
  expect(await privacy.run(readAll)).toEqual(original)
  const mona = [{ partyId: 'pty_mona' }]
  expect(await foundBy('zMARK')).toEqual(mona)
  expect(await foundBy('zmarkname M')).toEqual([])
  expect(await foundBy(`${markers.name} zmark`)).toEqual(mona)
  expect(await foundBy(`${markers.address}@example.com`)).toEqual(mona)
  expect(await foundBy(markers.address)).toEqual([])
  for (const text of ['zmarkpayee', 'ZMARKPAY', 'payee']) {
    const { nodes } = (
      await privacy.run(`{ arrangement: accountArrangement(arrangementId: "arr_mona") {
        transactions(filter: { text: "${text}" }) { nodes { transactionId } } } }`)
    ).arrangement.transactions
    expect([text, nodes.length]).toEqual([text, 1])
  }
  const { requestDataExport } = await privacy.run(
    'mutation { requestDataExport(partyId: "pty_mona") { dataExportId } }',
    {},
    { subject: officer, clientId: 'bankgraph-console' },
  )
  const pages: object[] = []
  for (let after: string | null = null, hasNextPage = true; hasNextPage;) {
    const { dataExportRecords } = await privacy.run(
      `query ($id: ID!, $after: String) { dataExportRecords(dataExportId: $id, first: 100,
        after: $after) { nodes { data } pageInfo { hasNextPage endCursor } } }`,
      { id: requestDataExport.dataExportId, after },
      { subject: officer, clientId: 'bankgraph-console' },
    )
    pages.push(dataExportRecords.nodes)
    ;({ hasNextPage, endCursor: after } = dataExportRecords.pageInfo)
  }
  const text = JSON.stringify(pages)
  const missing = Object.values(markers).filter((each) => !text.includes(each))
  expect(missing).toEqual([])
})

test('a repeated request gets its stored response', async () => {
  const document = `mutation { updateParty(input: { partyId: "pty_mona", familyName: "${markers.name}" })
        { familyName displayName } }`
  const { body } = await privacy.bank.graph(document, {}, { key: 'mona-name' })
  expect(body.data.updateParty.familyName).toBe(markers.name)
})

test('no input may contain the noncharacter that marks encrypted values', async () => {
  const rejected = await privacy.rejected(
    `mutation { addCaseNote(caseId: "case_mona", text: "\uFDD0t~parties~1~x~y\uFDD0", isShared: true)
      { caseId } }`,
  )
  expect(rejected.errors[0].code).toBe('NONCHARACTER')
})

test('a changed byte is an error with an alarm, never another value', async () => {
  const change = (at: number) =>
    thief.query(
      `update casework.case_file set title = overlay(title placing
         case substr(title, $1, 1) when 'A' then 'B' else 'A' end from $1 for 1)
       where case_id = 'case_mona'`,
      [at],
    )
  const { rows } = await thief.query<{ title: string }>(
    `select title from casework.case_file where case_id = 'case_mona'`,
  )
  const { title } = rows[0]!
  for (const at of [title.length - 3, title.lastIndexOf('~') + 5, title.indexOf('title') + 1]) {
    await change(at)
    const rejected = await privacy.rejected('{ case(caseId: "case_mona") { title } }')
    expect(rejected.code).toBe('INTERNAL')
    await thief.query(`update casework.case_file set title = $1 where case_id = 'case_mona'`, [
      title,
    ])
  }
  const places = alarms.filter(({ msg }) => msg === 'a personal value cannot be decrypted')
  expect(places.length).toBeGreaterThanOrEqual(3)
  expect(await privacy.run(readAll)).toEqual(original)
})

test('after a rotation the stored values have the new key', async () => {
  await privacy.bank.bank.dataKeys.rotate()
  expect(await keyVersions()).toEqual(['1'])
  await thief.query('update kernel.data_key set active_from = now()')
  await privacy.bank.bank.dataKeys.reload()
  await encryptAll(privacy)
  expect(await keyVersions()).toEqual(['2'])
  await thief.query('delete from kernel.data_key where version = 1 and purpose = $1', [
    'encryption',
  ])
  await privacy.bank.bank.dataKeys.reload()
  expect(await privacy.run(readAll)).toEqual(original)
  expect(await foundBy('zmark')).toHaveLength(1)
  expect(await readableColumns()).toEqual(knownPlain)
})

test('switched off, rows are decrypted, and switched on again, encrypted, while writes go on', async () => {
  await privacy.bank.stop()
  const settings = { ENCRYPT_PERSONAL_DATA: 'off' }
  privacy = await aPrivacyBankOn(settings)
  expect(await privacy.run(readAll)).toEqual(original)
  await encryptAll(privacy)
  expect(await readableColumns()).toContain('parties.party.given_name')
  expect(await foundBy('zmark')).toHaveLength(1)
  await privacy.bank.stop()
  privacy = await aPrivacyBankOn(on)
  let isDone = false
  const writing = (async () => {
    for (let index = 0; !isDone || index < 5; index++) {
      await privacy.run(`mutation { addCaseNote(caseId: "case_mona",
        text: "${markers.note} ${index}", isShared: true) { caseId } }`)
    }
  })()
  await encryptAll(privacy)
  isDone = true
  await writing
  expect(await readableColumns()).toEqual(knownPlain)
  expect(await privacy.run(readAll)).toEqual(original)
  expect(await foundBy('zmark')).toHaveLength(1)
})
