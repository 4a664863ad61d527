/**
 * The program without its checks, in the tests of this file only: the probes for missing scope checks
 * and for foreign access must report it, and row-level security alone must still hide rows. The three
 * share a process, which loads the program once.
 */
import type { AuthCheckerFn } from 'type-graphql'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { Scope } from '../../kernel/domain/scopes.ts'
import { createContext, type Context } from '../../kernel/environment/context.ts'
import { withRowSecurity } from '../../kernel/authorization/row-secured-reads.ts'
import { type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { aCaller } from '../kit/subgraph.ts'
import { probeForeignAccess } from './bola.ts'
import { happyPath } from './happy-path.ts'
import { tryMatrix } from './matrix.ts'

/** The checks that are off at the moment. */
const off = vi.hoisted(() => ({ scopes: false, ownership: false }))

vi.mock('../../kernel/authorization/auth.ts', async (importOriginal) => {
  const { Problem } = await import('../../kernel/domain/problem.ts')
  const auth = await importOriginal<typeof import('../../kernel/authorization/auth.ts')>()
  const checkScope = auth.checkScope as AuthCheckerFn<Context, Scope>
  const mutant: Partial<typeof auth> = {
    checkScope: (...request) => off.scopes || checkScope(...request),
    requireScope: (...request) => (off.scopes ? undefined : auth.requireScope(...request)),
    maySee: (...request) => off.ownership || auth.maySee(...request),
    requireVisible(context, record, ownersOf, code, id) {
      if (!off.ownership) return auth.requireVisible(context, record, ownersOf, code, id)
      if (record) return record
      throw new Problem(code, { resourceId: id })
    },
  }
  return { ...auth, ...mutant }
})

/** Switches checks off for the tests of a group. */
function without(check: keyof typeof off) {
  beforeAll(() => void (off[check] = true))
  afterAll(() => void (off[check] = false))
}

describe('Without scope checks', () => {
  without('scopes')

  test('the access matrix reports every operation with a scope', async () => {
    const { cells, wrong, scopeless } = await tryMatrix(({ name }) => name === 'no scope')
    // Operations without a scope are queries and so have two endpoints each, GET and POST.
    expect(wrong).toHaveLength(cells - 2 * scopeless.length)
  }, 240_000)
})

describe('Without ownership checks', () => {
  without('ownership')

  test('the probe reports foreign access', async () => {
    // Row-level security would hide most of it; this test is about the checks in code.
    const { faults, changed } = await probeForeignAccess({ ROW_SECURITY: 'off' }, true)
    const entrances = new Set(faults.map((fault) => /^[\w ]+/.exec(fault)![0]))
    console.log(
      `${faults.length} faults in ${entrances.size} operations, ${changed.length} changed.`,
    )
    expect(entrances.size).toBeGreaterThan(40)
    expect(changed).not.toEqual([])
  }, 480_000)
})

let bank: Platform

/** The columns that hold the owners of a row, for models that do not just have `partyId`. */
const owners: Record<string, string[]> = {
  entitlement: ['grantorPartyId', 'granteePartyId'],
  assistSession: ['actingPartyId', 'subjectPartyId'],
  payment: ['partyId', 'creditorPartyId'],
  repayment: ['partyId', 'payerPartyId'],
  facilityObligor: ['partyId', 'borrowerPartyId'],
  guaranteeCall: ['partyId', 'borrowerPartyId'],
}

interface Delegate {
  findMany(args?: object): Promise<Record<string, unknown>[]>
}

function contextOf(partyId: string) {
  const context = createContext(bank.bank, aCaller({ partyId }), {
    authorization: undefined,
    requestId: 'test-request',
    traceparent: undefined,
    idempotencyKey: undefined,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  })
  return withRowSecurity(context)
}

async function securedModels(): Promise<string[]> {
  const sql = `select policyname as model from pg_policies where 'bankgraph_party' = any(roles)`
  const { rows } = await bank.bank.pool.query<{ model: string }>(sql)
  return rows.map(({ model }) => model)
}

const peeks = [
  ['party', '{ party(partyId: "pty_ada") { partyId } }'],
  ['customer', '{ customer(customerId: "cus_ada") { customerId } }'],
  ['accountArrangement', '{ accountArrangement(arrangementId: $id) { arrangementId } }'],
  ['facility', '{ facility(facilityId: $id) { facilityId } }'],
  ['notification', '{ notification(notificationId: $id) { notificationId } }'],
  ['interaction', '{ interaction(interactionId: $id) { interactionId } }'],
] as const

const ofAda: Record<string, string> = {
  accountArrangement:
    "select arrangement_id as id from accounts.arrangement where party_id = 'pty_ada'",
  facility: "select facility_id as id from lending.facility where party_id = 'pty_ada'",
  notification:
    "select notification_id as id from notifications.notification where party_id = 'pty_ada'",
  interaction: "select interaction_id as id from channels.interaction where party_id = 'pty_ada'",
}

describe('Row-level security alone', () => {
  without('ownership')

  beforeAll(async () => {
    bank = await aSeededPlatform('live', true)
    const ada = bank.token({ partyId: 'pty_ada', hasPasskey: true })
    const grace = bank.token({ partyId: 'pty_grace', hasPasskey: true })
    for (const [name, document] of happyPath()) {
      const isOfBank = name.startsWith('Bank') || name === 'FacilityGrace'
      const token = isOfBank ? undefined : name.endsWith('Grace') ? grace : ada
      await bank.graph(document, {}, token ? { token } : {})
    }
  }, 120_000)
  afterAll(() => bank.stop())

  test('returns exactly the party’s own rows of every secured table to an unrestricted read', async () => {
    const models = await securedModels()
    expect(models.length).toBeGreaterThan(20)
    const db = contextOf('pty_grace').db as never as Record<string, Delegate>
    const all = bank.bank.db as never as Record<string, Delegate>
    const hidden: string[] = []
    for (const model of models) {
      const [seen, there] = await Promise.all([db[model]!.findMany(), all[model]!.findMany()])
      if (seen.length < there.length) hidden.push(model)
      const mine = (row: Record<string, unknown>) =>
        (owners[model] ?? ['partyId']).some((column) => row[column] === 'pty_grace') ||
        ('partyId' in row && row['partyId'] === null)
      expect([model, seen.filter((row) => !mine(row))]).toEqual([model, []])
      expect([model, seen.length]).toEqual([model, there.filter(mine).length])
    }
    // Ada has rows in nearly all of them.
    expect(hidden.length).toBeGreaterThan(15)
  })

  test.each(peeks)(
    'hides Ada’s %s from Grace, who would see it without row-level security',
    async (name, text) => {
      const sql = ofAda[name]
      const id = sql ? (await bank.bank.pool.query<{ id: string }>(sql)).rows[0]!.id : ''
      const token = bank.token({ partyId: 'pty_grace' })
      const peek = () => bank.graph(text.replace('$id', JSON.stringify(id)), {}, { token })
      const { body } = await peek()
      expect(body.errors).toBeUndefined()
      expect(Object.values(body.data)).toEqual([null])
      const wall = bank.bank.rowSecurity
      bank.bank.rowSecurity = null
      try {
        const open = await peek()
        expect(open.body.errors).toBeUndefined()
        expect(Object.values(open.body.data)[0]).not.toBeNull()
      } finally {
        bank.bank.rowSecurity = wall
      }
    },
  )

  test('shows an account to a party that was granted VIEW', async () => {
    const grant = `mutation ($input: GrantEntitlementInput!) {
      grantEntitlement(input: $input) { entitlementId } }`
    const { rows } = await bank.bank.pool.query<{ id: string }>(ofAda['accountArrangement']!)
    const id = rows[0]!.id
    const read = () =>
      contextOf('pty_grace').db.accountArrangement.findUnique({ where: { arrangementId: id } })
    expect(await read()).toBeNull()
    const input = {
      grantorPartyId: 'pty_ada',
      granteePartyId: 'pty_grace',
      resource: `arrangement/${id}`,
      right: 'VIEW',
    }
    const { body } = await bank.graph(
      grant,
      { input },
      { token: bank.token({ partyId: 'pty_ada' }) },
    )
    expect(body.errors).toBeUndefined()
    expect(await read()).toMatchObject({ arrangementId: id, partyId: 'pty_ada' })
  })

  test('permits the role of the policies to read secured tables only, and no writes', async () => {
    const as = async (sql: string) => {
      const client = await bank.bank.pool.connect()
      try {
        await client.query('begin')
        await client.query("select set_config('bank.party', 'pty_grace', true)")
        await client.query('set local role bankgraph_party')
        return (await client.query(sql)).rowCount
      } finally {
        await client.query('rollback')
        client.release()
      }
    }
    expect(await as('select from parties.party')).toBe(1)
    for (const refused of [
      'select from kernel.event',
      'select from kernel.fact',
      'select from oauth.client',
      "update parties.party set status = 'closed'",
      'delete from notifications.notification',
    ]) {
      await expect(as(refused)).rejects.toThrow(/permission denied/)
    }
  })

  test('bypasses row-level security for reads by staff', async () => {
    const context = createContext(bank.bank, aCaller(), contextOf('pty_ada').envelope)
    expect(withRowSecurity(context)).toBe(context)
    expect(await context.db.party.count()).toBeGreaterThan(1)
  })
})
