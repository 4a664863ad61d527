/** The audit of identity: its hash chain, and the bound on what a flood of failures writes. */
import type pg from 'pg'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { IdentityLog } from '../../../kernel/authorization/identity-log.ts'
import { writeIdentityCheckpoint } from '../../../subgraphs/operations/store/identity-chain.ts'
import {
  verifyIdentityRecords,
  type LineRange,
} from '../../../subgraphs/operations/store/identity-verification.ts'
import { aCaller, employee, type RunningSubgraph } from '../../kit/subgraph.ts'
import { inVain } from '../ledger/kit.ts'
import { anAudit, type Audit } from './identity-kit.ts'

let audit: Audit
let bank: RunningSubgraph
beforeAll(async () => {
  audit = await anAudit()
  ;({ bank } = audit)
})
afterAll(() => bank.drop())

const all: LineRange = { firstLine: 1, lastLine: null }
const verify = (range = all) => verifyIdentityRecords(bank.bank, range)

/** Changes the database as its owner, and verifies what is then there. */
const afterChange = (sql: string, range = all) =>
  inVain(bank, async (client: pg.PoolClient) => {
    expect((await client.query(sql)).rowCount).toBeGreaterThan(0)
    return verifyIdentityRecords({ ...bank.bank, pool: client as never }, range)
  })
describe('The hash chain of the audit of identity', () => {
  test('is intact, with a head for each range', async () => {
    const whole = await verify()
    expect(whole).toMatchObject({ isIntact: true, firstLine: 1, linesChecked: 9, badLine: null })
    expect(whole.head).toMatch(/^[0-9a-f]{64}$/)
    const middle = await verify({ firstLine: 5, lastLine: 6 })
    expect(middle).toMatchObject({ isIntact: true, firstLine: 4, linesChecked: 3 })
    expect(middle.head).not.toBe(whole.head)
    const end = await verify({ firstLine: 5, lastLine: null })
    expect(end).toMatchObject({ isIntact: true, firstLine: 4, linesChecked: 6, head: whole.head })
  })

  test.each([
    ['person', "'mallory'"],
    ['outcome', "'failed'"],
    ['address', "'192.0.2.9'"],
    ['client_id', 'null'],
    ['count', 'count + 1'],
    ['at', "at - interval '1 hour'"],
    ['detail', "'x'"],
  ])('names a record whose %s was changed', async (column, value) => {
    const recordId = await audit.idOf('grace-2')
    const sql = `update kernel.identity_record set ${column} = ${value} where record_id = '${recordId}'`
    const found = { isIntact: false, badLine: 5, linesChecked: 4, recordId }
    expect(await afterChange(sql)).toMatchObject({
      ...found,
      detail: 'The record differs from its digest in the checkpoint.',
    })
    expect(await afterChange(sql, { firstLine: 4, lastLine: 6 })).toMatchObject({
      ...found,
      firstLine: 4,
      linesChecked: 1,
    })
    expect(await afterChange(sql, { firstLine: 7, lastLine: 9 })).toMatchObject({ isIntact: true })
  })

  test('names a record that was removed, also from the end', async () => {
    const recordId = await audit.idOf('alan-3')
    const sql = `delete from kernel.identity_record where record_id = '${recordId}'`
    expect(await afterChange(sql)).toMatchObject({
      badLine: 9,
      recordId,
      detail: 'The record is missing.',
    })
    const cut = `with cut as (delete from kernel.identity_checkpoint where first_line = 7 returning record_ids)
      delete from kernel.identity_record where record_id in (select unnest(record_ids) from cut)`
    const first = await audit.idOf('ada-3')
    expect(await afterChange(cut)).toMatchObject({
      isIntact: false,
      badLine: null,
      recordId: first,
      detail: 'The line of the record was removed: the event log contains its event.',
    })
  })

  test('names a record that was derived from an event and removed', async () => {
    const derived = "type = 'operations.oauth-client.approved', event_id = 'evt_removed'"
    const last = `select max(position) from kernel.event where type = 'operations.identity-record.created'`
    const sql = `update kernel.event set ${derived} where position = (${last})`
    expect(await afterChange(sql)).toMatchObject({
      isIntact: false,
      badLine: null,
      detail: 'The line of the record was removed: the event log contains its event.',
    })
  })

  test('names a record that was inserted', async () => {
    const columns = 'kind, outcome, count, at'
    const sql = `insert into kernel.identity_record (record_id, ${columns})
      select 'idr_forged', ${columns} from kernel.identity_record where person = 'ada-2'`
    const found = {
      isIntact: false,
      badLine: null,
      recordId: 'idr_forged',
      detail: 'The record was inserted: it is on no line.',
    }
    expect(await afterChange(sql)).toMatchObject({ ...found, linesChecked: 9 })
    expect(await afterChange(sql, { firstLine: 4, lastLine: 6 })).toMatchObject(found)
  })

  test.each([
    ['removed', 'delete from kernel.identity_checkpoint where first_line = 4'],
    [
      'given a hash',
      "update kernel.identity_checkpoint set hash = repeat('0', 64) where first_line = 4",
    ],
    ['moved', 'update kernel.identity_checkpoint set first_line = 5 where first_line = 4'],
  ])('locates a checkpoint that was %s', async (_, sql) => {
    expect(await afterChange(sql)).toMatchObject({ isIntact: false, badLine: 4, linesChecked: 3 })
  })

  test('stays intact while records wait for their checkpoint', async () => {
    await audit.record('late')
    expect(await verify()).toMatchObject({ isIntact: true, linesChecked: 9 })
    await audit.sequence()
    expect(await verify()).toMatchObject({ isIntact: true, linesChecked: 9 })
    await audit.chain()
    expect(await verify()).toMatchObject({ isIntact: true, linesChecked: 10 })
  })

  test('keeps a line for a record that was removed before its checkpoint', async () => {
    await audit.record('removed-early')
    const recordId = await audit.idOf('removed-early')
    await audit.sequence()
    const client = await bank.bank.pool.connect()
    try {
      await client.query('begin')
      await client.query('set local session_replication_role = replica')
      await client.query('delete from kernel.identity_record where record_id = $1', [recordId])
      const other = { ...bank.bank, pool: client as never }
      await writeIdentityCheckpoint(other)
      expect(await verifyIdentityRecords(other, all)).toMatchObject({ badLine: 11, recordId })
    } finally {
      await client.query('rollback')
      client.release()
    }
  })

  test.each(['identity_record', 'identity_checkpoint'])(
    'rejects changes of %s that do not bypass the triggers',
    async (table) => {
      for (const sql of [
        `delete from kernel.${table}`,
        `truncate kernel.${table}`,
        `update kernel.${table} set ${table === 'identity_record' ? 'person' : 'hash'} = 'x'`,
      ]) {
        await expect(bank.rows(sql)).rejects.toMatchObject({ code: 'BG003' })
      }
    },
  )
})

test('is listed by person, client, kind and time, with a shortened user agent', async () => {
  const query = `query ($person: String, $since: DateTime, $until: DateTime, $after: String, $first: Int,
      $kind: IdentityRecordKind) {
    identityRecords(person: $person, clientId: "web", kind: $kind, since: $since, until: $until,
      after: $after, first: $first) {
      nodes { recordId kind outcome person partyId actor address userAgent count requestId at }
      pageInfo { endCursor hasNextPage } } }`
  const { data } = await bank.execute(query, { person: 'ada-1' })
  const [node, ...others] = data.identityRecords.nodes
  expect(others).toEqual([])
  expect(node).toMatchObject({
    kind: 'LOG_IN',
    outcome: 'SUCCEEDED',
    person: 'ada-1',
    partyId: null,
    actor: 'ada-1',
    address: '192.0.2.1',
    count: 1,
    requestId: 'request-ada-1',
  })
  expect(node.userAgent).toBe(`Browser? ? ${'x'.repeat(149)}`)
  const listed = async (variables: object) => {
    const answer = await bank.execute(query, variables as never)
    return answer.data.identityRecords.nodes.map(({ person }: any) => person as string)
  }
  expect(await listed({ person: 'ada-1', until: node.at })).toEqual([])
  expect(await listed({ person: 'ada-1', since: node.at })).toEqual(['ada-1'])
  expect(await listed({ kind: 'LOG_OUT' })).toEqual([])
  const first = await bank.execute(query, { first: 4 })
  const { endCursor: after } = first.data.identityRecords.pageInfo
  const rest = await listed({ after })
  const names = first.data.identityRecords.nodes.map(({ person }: any) => person)
  expect([...names, ...rest]).toEqual(await listed({}))
})

test('is shown only to the bank, with the scope audit:read', async () => {
  const fields = ['identityRecords { nodes { person } }', 'verifyIdentityRecords { isIntact head }']
  for (const field of fields) {
    const ada = await bank.execute(`{ ${field} }`, {}, { caller: aCaller({ partyId: 'pty_ada' }) })
    expect(ada.code).toBe('NOT_FOR_DELEGATED_USERS')
    const caller = aCaller({ scopes: ['operations:read', 'events:read'] })
    expect((await bank.execute(`{ ${field} }`, {}, { caller })).code).toBe('INSUFFICIENT_SCOPE')
    expect((await bank.execute(`{ ${field} }`)).errors).toEqual([])
  }
})

test('counts a flood of failures in full, in a bounded number of records', async () => {
  const log = new IdentityLog(bank.bank.pool, pino({ level: 'silent' }))
  const failed = { kind: 'log-in', outcome: 'failed', clientId: 'flooded' } as const
  for (let at = 0; at < 3000; at++) {
    // One person from one address, and many addresses.
    await log.count({ ...failed, person: 'ada', address: '192.0.2.7' }, 60_000)
    await log.count({ ...failed, address: `198.51.100.${at}` }, 60_000)
  }
  expect(log.totals).toEqual([{ kind: 'log-in', outcome: 'failed', count: 6000 }])
  await log.close()
  const rows = await bank.rows(
    `select person, client_id, sum(count)::int as count, count(*)::int as records
     from kernel.identity_record where kind = 'log-in' and outcome = 'failed' group by 1, 2
     order by 1, 2`,
  )
  expect(rows).toEqual([
    { person: 'ada', client_id: 'flooded', count: 3000, records: 2 },
    { person: null, client_id: 'flooded', count: 199, records: 199 },
    { person: null, client_id: null, count: 2801, records: 2 },
  ])
})

test('derives one record from each event about employees, clients and revocations', async () => {
  const execute = async (document: string) => {
    const options = { requestId: 'admin-1', caller: employee }
    const answer = await bank.execute(`mutation { ${document} }`, {}, options)
    expect(answer.errors).toEqual([])
  }
  const client = '{ client { clientId } }'
  await execute(
    `registerOAuthClient(input: { clientId: "partner", label: "P", scopes: ["offers:read"] }) ${client}`,
  )
  await execute(`rotateOAuthClientSecret(clientId: "partner") ${client}`)
  await execute('disableOAuthClient(clientId: "partner") { clientId }')
  await execute('revokeTokens(input: { grantId: "grant-1" }) { value }')
  await execute('revokeTokens(input: { subject: "ada" }) { value }')
  await audit.chain()
  // Another process that processed the same events writes nothing.
  await audit.chain()
  const rows = await bank.rows(
    `select r.kind, r.client_id, r.person, r.grant_id, r.actor, r.request_id, e.type
     from kernel.identity_record r join kernel.event e using (event_id) order by e.position`,
  )
  const admin = { actor: 'employee', request_id: 'admin-1' }
  const ofClient = { client_id: 'partner', person: null, grant_id: null, ...admin }
  const revoked = { client_id: null, ...admin, type: 'operations.tokens.revoked' }
  const type = (name: string) => `operations.oauth-client.${name}`
  expect(rows).toEqual([
    { kind: 'client-registration', ...ofClient, type: type('registered') },
    { kind: 'client-secret-rotation', ...ofClient, type: type('secret-rotated') },
    { kind: 'client-disabling', ...ofClient, type: type('disabled') },
    { kind: 'grant-revocation', ...revoked, person: null, grant_id: 'grant-1' },
    { kind: 'token-revocation', ...revoked, person: 'ada', grant_id: null },
  ])
  expect(await verify()).toMatchObject({ isIntact: true })
})
