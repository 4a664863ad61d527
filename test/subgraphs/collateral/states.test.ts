import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import {
  collateralActs,
  collateralMoves,
  collateralStatuses,
  hasEnded,
  type CollateralAct,
  type CollateralStatus,
} from '../../../subgraphs/collateral/domain/states.ts'
import {
  aCollateral,
  ada,
  bank,
  collateralIn,
  creating,
  does,
  euro,
  grace,
  mutationOf,
  openBank,
  out,
  read,
  told,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const row = async (id: string) =>
  (await bank.rows('select * from collateral.collateral where collateral_id = $1', [id]))[0]!

describe('states', () => {
  const stays: Partial<Record<CollateralAct, (status: CollateralStatus) => CollateralStatus>> = {
    value: (status) => (status === 'proposed' ? 'valued' : status),
    perfect: (status) => (status === 'valued' ? 'active' : status),
  }

  for (const status of collateralStatuses) {
    for (const name of Object.keys(collateralActs) as CollateralAct[]) {
      const { from, to }: { from: readonly CollateralStatus[]; to: CollateralStatus | null } =
        collateralActs[name]
      const after = to ?? stays[name]?.(status) ?? status
      const isLegal = from.includes(status)
      test(`${name} on ${status} is ${isLegal ? after : 'refused'}`, async () => {
        const id = await collateralIn(status)
        const before = { row: await row(id), told: await told(`collateral/${id}`) }
        const { data, errors } = await does(name, id)
        const events = await told(`collateral/${id}`)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.act.status).toBe(after.toUpperCase().replaceAll('-', '_'))
          expect(events).toHaveLength(before.told.length + 1)
          if (hasEnded(after)) expect(data.act.links).toEqual([])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
          })
          expect(errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect({ row: await row(id), told: events }).toEqual(before)
        }
      })
    }
  }

  test('the table and the acts say the same', () => {
    for (const status of collateralStatuses) {
      const reached = Object.entries(collateralActs)
        .filter(([, { from }]) => (from as readonly string[]).includes(status))
        .map(([name, { to }]) => to ?? stays[name as CollateralAct]?.(status) ?? status)
        .filter((to) => to !== status)
      expect(new Set(reached)).toEqual(new Set(collateralMoves[status]))
    }
  })

  test('what it brought is kept', async () => {
    const id = await collateralIn('liquidated')
    expect((await read(id)).data.collateral).toMatchObject({ proceeds: out('70.00'), links: [] })
  })
})

describe('rights', () => {
  const asAda = { caller: ada }

  test('an owner proposes, and reads; everything else the bank does', async () => {
    const mine = await creating('description: "My house"', asAda)
    expect(mine.data.act).toMatchObject({
      status: 'PROPOSED',
      owners: [{ partyId: 'pty_ada', sharePct: '100' }],
    })
    const id = mine.data.act.collateralId
    expect((await read(id, asAda)).errors).toEqual([])
    expectAbsent(await read(id, { caller: grace }))
    for (const more of [
      'status: "active"',
      'haircutPct: "0"',
      'owners: [{ partyId: "pty_grace" }]',
      `valuation: { marketValue: ${euro('1')}, method: SELF_DECLARED }`,
      'links: [{ facilityId: "fac_ada" }]',
    ]) {
      expect((await creating(more, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
    for (const name of Object.keys(mutationOf) as CollateralAct[]) {
      expect((await does(name, id, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
  })

  test('lists are of what is theirs', async () => {
    const id = await aCollateral('10', 'owners: [{ partyId: "pty_ada" }], collateralType: "rights"')
    const shared = await aCollateral(
      '10',
      `owners: [{ partyId: "pty_ada", sharePct: "1" }, { partyId: "pty_grace", sharePct: "1" }], collateralType: "rights"`,
    )
    const list = async (filter: string, options = {}) => {
      const query = `{ collaterals(collateralType: "rights" ${filter}) { nodes { collateralId } } }`
      const { data } = await bank.execute(query, {}, options)
      return data.collaterals.nodes.map((node: { collateralId: string }) => node.collateralId)
    }
    expect(await list('')).toEqual([id, shared])
    expect(await list('partyId: "pty_grace"')).toEqual([shared])
    expect(await list('', asAda)).toEqual([id, shared])
    expect(await list('', { caller: grace })).toEqual([shared])
    expect(await list('partyId: "pty_ada"', { caller: grace })).toEqual([shared])
    expect(await list('status: IMPAIRED')).toEqual([])
  })
})
