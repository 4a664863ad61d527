/** The end of the retention of the audit of identity, after which its hash chain is as provable as before. */
import type pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { identityAuditEnd } from '../../../kernel/domain/retention.ts'
import { writeIdentityCheckpoint } from '../../../subgraphs/operations/store/identity-chain.ts'
import { eraseIdentityMembers } from '../../../subgraphs/operations/store/identity-retention.ts'
import {
  verifyIdentityRecords,
  type LineRange,
} from '../../../subgraphs/operations/store/identity-verification.ts'
import { inVain } from '../ledger/kit.ts'
import { anAudit, type Audit } from './identity-kit.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

let audit: Audit
let bank: RunningSubgraph
beforeAll(async () => {
  audit = await anAudit()
  ;({ bank } = audit)
})
afterAll(() => bank.drop())

const all: LineRange = { firstLine: 1, lastLine: null }
const later = new Date(Date.now() + 6 * 365 * 24 * 3600_000)
const end = identityAuditEnd(later)
const personal = 'person, actor, address, user_agent, detail'

/** Erases the records in vain, changes the database as its owner, and verifies what is then there. */
const afterErasure = (sql: string | null, range = all, now = later) =>
  inVain(bank, async (client: pg.PoolClient) => {
    const other = { ...bank.bank, pool: client as never }
    while ((await eraseIdentityMembers(other, end, 4)) > 0);
    if (sql !== null) expect((await client.query(sql)).rowCount).toBe(1)
    return verifyIdentityRecords(other, range, now)
  })

test('the chain and each range of it are as provable as before', async () => {
  for (const range of [all, { firstLine: 5, lastLine: 6 }, { firstLine: 4, lastLine: null }]) {
    const before = await verifyIdentityRecords(bank.bank, range)
    expect(before.isIntact).toBe(true)
    expect(await afterErasure(null, range)).toEqual(before)
  }
})

test('nothing in the database tells who it was', async () => {
  await inVain(bank, async (client: pg.PoolClient) => {
    const other = { ...bank.bank, pool: client as never }
    expect(await eraseIdentityMembers(other, end, 1000)).toBeGreaterThan(8)
    const { rows } = await client.query(`select ${personal}, salt from kernel.identity_record`)
    for (const row of rows) expect(Object.values(row).every((value) => value === null)).toBe(true)
  })
})

test.each([
  ['an outcome', "outcome = 'failed'"],
  ['a time', "at = at - interval '1 hour'"],
  ['an invented person', "person = 'mallory'"],
  ['an invented digest', "personal_digest = 'x'"],
  ['no digest', 'personal_digest = null'],
  ['a salt', "salt = 'x'"],
])('a record that was given %s is found', async (_, change) => {
  const recordId = await audit.idOf('grace-2')
  const sql = `update kernel.identity_record set ${change} where record_id = '${recordId}'`
  const found = { isIntact: false, badLine: 5, recordId }
  expect(await afterErasure(sql)).toMatchObject(found)
  expect(await afterErasure(sql, { firstLine: 4, lastLine: 6 })).toMatchObject(found)
})

test('a record that was erased before is found', async () => {
  expect(await afterErasure(null, all, new Date())).toMatchObject({ isIntact: false, badLine: 1 })
  expect(await eraseIdentityMembers(bank.bank, identityAuditEnd(new Date()), 10)).toBe(0)
})

test('a record of an earlier version is verified as a whole, and stays', async () => {
  await inVain(bank, async (client: pg.PoolClient) => {
    const other = { ...bank.bank, pool: client as never }
    await bank.bank.identities.record({ kind: 'log-in', outcome: 'succeeded', person: 'old' })
    await audit.sequence()
    const sql = "update kernel.identity_record set salt = null where person = 'old'"
    expect((await client.query(sql)).rowCount).toBe(1)
    await writeIdentityCheckpoint(other)
    while ((await eraseIdentityMembers(other, end, 1000)) > 0);
    expect(await verifyIdentityRecords(other, all, later)).toMatchObject({ isIntact: true })
    const change = "update kernel.identity_record set address = 'x' where person = 'old'"
    expect((await client.query(change)).rowCount).toBe(1)
    expect(await verifyIdentityRecords(other, all, later)).toMatchObject({ isIntact: false })
  })
  await audit.chain()
})
