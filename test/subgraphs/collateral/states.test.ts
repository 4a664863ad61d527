import { CollateralStatus } from '../../../subgraphs/collateral/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { expectAbsent } from '../../kit/absent.ts'
import { hasEnded } from '../../../subgraphs/collateral/domain/states.ts'
import { collateralStates } from '../../../subgraphs/collateral/model/collateral.ts'
import {
  aCollateral,
  actions,
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
  eventsOf,
  type Action,
} from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const row = async (id: string) =>
  (await bank.rows('select * from collateral.collateral where collateral_id = $1', [id]))[0]!

describe('State transitions of collateral', () => {
  const stays: Partial<Record<Action, (status: CollateralStatus) => CollateralStatus>> = {
    value: (status) => (status === 'proposed' ? 'valued' : status),
    perfect: (status) => (status === 'valued' ? 'active' : status),
  }

  for (const status of CollateralStatus.values) {
    for (const name of Object.keys(actions) as Action[]) {
      const { from, to } = actions[name]
      const after = to ?? stays[name]?.(status) ?? status
      const isLegal = from.includes(status)
      test(`${name} from ${status} leads to ${isLegal ? after : 'INVALID_STATE_TRANSITION'}`, async () => {
        const id = await collateralIn(status)
        const before = { row: await row(id), event: await eventsOf(`collateral/${id}`) }
        const { data, errors } = await does(name, id)
        const events = await eventsOf(`collateral/${id}`)
        if (isLegal) {
          expect(errors).toEqual([])
          expect(data.act.status).toBe(after.toUpperCase().replaceAll('-', '_'))
          expect(events).toHaveLength(before.event.length + 1)
          if (hasEnded(after)) expect(data.act.links).toEqual([])
        } else {
          expect(errors[0]!.extensions).toMatchObject({
            code: 'INVALID_STATE_TRANSITION',
            currentState: status,
          })
          expect(errors[0]!.extensions!['allowedStates']).not.toContain(to)
          expect({ row: await row(id), event: events }).toEqual(before)
        }
      })
    }
  }

  test('the table of states agrees with the actions', () => {
    for (const status of CollateralStatus.values) {
      const reached = Object.entries(actions)
        .filter(([, { from }]) => from.includes(status))
        .map(([name, { to }]) => to ?? stays[name as Action]?.(status) ?? status)
        .filter((to) => to !== status)
      expect(new Set(reached)).toEqual(new Set(collateralStates.table[status]))
    }
  })

  test('shows the proceeds and no allocations of liquidated collateral', async () => {
    const id = await collateralIn('liquidated')
    expect((await read(id)).data.collateral).toMatchObject({ proceeds: out('70.00'), links: [] })
  })
})

describe('Access to collateral', () => {
  const asAda = { caller: ada }

  test('permits a delegated user only to propose and read their own collateral', async () => {
    const mine = await creating('description: "My house"', asAda)
    expect(mine.data.act).toMatchObject({
      status: 'PROPOSED',
      owners: [{ partyId: 'pty_ada', sharePct: '100' }],
    })
    const withoutOwners = await creating('description: "My boat", owners: []', asAda)
    expect(withoutOwners.data.act.owners).toEqual(mine.data.act.owners)
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
    for (const name of Object.keys(mutationOf) as Action[]) {
      expect((await does(name, id, asAda)).code).toBe('NOT_FOR_DELEGATED_USERS')
    }
  })

  test('lists only collateral that the party owns', async () => {
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
