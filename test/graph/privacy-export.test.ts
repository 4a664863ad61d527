/** The export of everything about one person, by the person and by the bank. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  aPersonEverywhere,
  aPrivacyBank,
  markers,
  officer,
  type PrivacyBank,
} from './privacy-kit.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { requireReadableExport } from '../../subgraphs/privacy/commands/data-export.ts'

let privacy: PrivacyBank
beforeAll(async () => {
  privacy = await aPrivacyBank()
  await aPersonEverywhere(privacy)
})
afterAll(() => privacy.bank.stop())

const mona = { partyId: 'pty_mona' }
const staff = { subject: officer, clientId: 'bankgraph-console' }
const request = `mutation ($partyId: ID!, $id: ID) {
  requestDataExport(partyId: $partyId, dataExportId: $id) { dataExportId isForBank expiresAt } }`
const pageQuery = `query ($id: ID!, $first: Int, $after: String) {
  dataExportRecords(dataExportId: $id, first: $first, after: $after) {
    nodes { area table purpose retention data } pageInfo { hasNextPage endCursor } } }`

async function exportOf(partyId: string, actor: object, first = 20) {
  const { requestDataExport } = await privacy.run(request, { partyId }, actor)
  const id = requestDataExport.dataExportId as string
  const nodes: { area: string; table: string; data: any; retention: string }[] = []
  for (let after: string | null = null, hasNextPage = true; hasNextPage;) {
    const { dataExportRecords: page } = await privacy.run(pageQuery, { id, first, after }, actor)
    expect(page.nodes.length).toBeLessThanOrEqual(first)
    nodes.push(...page.nodes)
    ;({ hasNextPage, endCursor: after } = page.pageInfo)
  }
  return { id, isForBank: requestDataExport.isForBank as boolean, nodes }
}

test('the export of the bank contains every text about the person, from every area', async () => {
  const { nodes, isForBank } = await exportOf('pty_mona', staff)
  expect(isForBank).toBe(true)
  const text = JSON.stringify(nodes)
  const missing = Object.values(markers).filter((marker) => !text.includes(marker))
  expect(missing).toEqual([])
  expect(new Set(nodes.map(({ area }) => area))).toEqual(
    new Set([
      'accounts',
      'assist',
      'casework',
      'channels',
      'interest',
      'kernel',
      'ledger',
      'lending',
      'notifications',
      'origination',
      'parties',
      'payments',
      'privacy',
    ]),
  )
  const party = nodes.find(({ table }) => table === 'parties.party')!
  expect(party.data).toMatchObject({ partyId: 'pty_mona', givenName: markers.name })
  expect(party.data).not.toHaveProperty('contentHash')
  expect(party.retention).toContain('2015/849')
})

test('pages of any size contain the same records', async () => {
  const keys = (nodes: { table: string }[]) => nodes.map(({ table }) => table)
  const large = await exportOf('pty_mona', staff, 100)
  const small = await exportOf('pty_mona', staff, 7)
  // The second export itself is one more record, with its event.
  const without = (tables: string[]) => tables.filter((t) => !/^(privacy|kernel)\./.test(t))
  expect(without(keys(small.nodes))).toEqual(without(keys(large.nodes)))
})

test('the person exports the own data, without what the bank must review first', async () => {
  const { nodes, isForBank } = await exportOf('pty_mona', mona)
  expect(isForBank).toBe(false)
  const text = JSON.stringify(nodes)
  const { internal, ...shown } = markers
  expect(Object.values(shown).filter((marker) => !text.includes(marker))).toEqual([])
  expect(text).not.toContain(internal)
})

test('another person sees the payment as in a statement, and nothing else of the person', async () => {
  const { nodes } = await exportOf('pty_grace', { partyId: 'pty_grace' })
  const text = JSON.stringify(nodes.filter(({ area }) => area !== 'ledger'))
  const payment = nodes.find(({ data }) => data.paymentId === 'pay_mona')!
  expect(payment.data.remittanceInformation).toBe(markers.remittance)
  expect(payment.data).not.toHaveProperty('partyId')
  expect(payment.data).not.toHaveProperty('debtorArrangementId')
  const seen = Object.values(markers).filter((marker) => text.includes(marker))
  expect(seen.sort()).toEqual([markers.payee, markers.remittance].sort())
})

test.each(['scheduled', 'rejected'])('a %s payment is not shown to its creditor', async (state) => {
  const { pool } = privacy.bank.bank
  const set = (to: string) =>
    pool.query("update payments.payment set state = $1 where payment_id = 'pay_mona'", [to])
  await set(state)
  const { nodes } = await exportOf('pty_grace', { partyId: 'pty_grace' })
  await set('settled')
  expect(nodes.filter(({ data }) => data.paymentId === 'pay_mona')).toEqual([])
})

test('nobody exports the data of another person', async () => {
  const grace = { partyId: 'pty_grace' }
  const refused = await privacy.rejected(request, { partyId: 'pty_mona' }, grace)
  expect(refused.code).toBe('PARTY_NOT_FOUND')
  const own = await exportOf('pty_mona', mona)
  const bank = await exportOf('pty_mona', staff)
  for (const [id, actor] of [
    [own.id, grace],
    [bank.id, grace],
    [bank.id, mona],
    ['dex_none', staff],
  ]) {
    const { dataExportRecords: records } = await privacy.run(pageQuery, { id }, actor as object)
    expect(records).toBe(null)
    const { dataExport } = await privacy.run(
      'query ($id: ID!) { dataExport(dataExportId: $id) { partyId } }',
      { id },
      actor as object,
    )
    expect(dataExport).toBe(null)
  }
  const list = 'query { dataExports(partyId: "pty_mona") { nodes { dataExportId isForBank } } }'
  const listed = async (actor: object) => (await privacy.run(list, {}, actor)).dataExports.nodes
  expect(await listed(grace)).toEqual([])
  const mine = await listed(mona)
  expect(mine).toContainEqual({ dataExportId: own.id, isForBank: false })
  expect(mine.filter(({ isForBank }: any) => isForBank)).toEqual([])
  expect(await listed(staff)).toContainEqual({ dataExportId: bank.id, isForBank: true })
  const missing = requireReadableExport(bankContext(privacy.bank.bank), 'dex_none')
  await expect(missing).rejects.toMatchObject({ code: 'DATA_EXPORT_NOT_FOUND' })
  const weak = await privacy.rejected(
    request,
    { partyId: 'pty_mona' },
    { scopes: ['parties:read'] },
  )
  expect(weak.code).toBe('INSUFFICIENT_SCOPE')
})

test('an export is also a document for readers, in which every value is escaped', async () => {
  const partyId = 'pty_script'
  const create = `mutation ($name: Label!) { createParty(input: {
    partyId: "pty_script", kind: PERSON, givenName: $name }) { partyId } }`
  await privacy.run(create, { name: '<script>alert(1)</script>' })
  const { requestDataExport } = await privacy.run(request, { partyId }, staff)
  const { dataExportPage: page } = await privacy.run(
    'query ($id: ID!) { dataExportPage(dataExportId: $id) { html hasNextPage endCursor } }',
    { id: requestDataExport.dataExportId },
    staff,
  )
  expect(page.html).toContain('<h2>parties.party</h2>')
  expect(page.html).toContain('&lt;script&gt;alert(1)')
  expect(page.html).not.toContain('<script>')
  expect(page.hasNextPage).toBe(false)
})

test('an export can be read for seven days', async () => {
  const { id } = await exportOf('pty_mona', mona)
  const old =
    "update privacy.data_export set expires_at = now() - interval '1 day' where data_export_id = $1"
  await privacy.bank.bank.pool.query(old, [id])
  expect((await privacy.rejected(pageQuery, { id }, mona)).code).toBe('DATA_EXPORT_EXPIRED')
})
