import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { mutate, ada, aFacility, bank, openBank, unique } from './kit.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

const seen = 'collateralId missing status owners { partyId sharePct }'
const creating = (more = '') =>
  mutate(
    `createCollateral(input: { collateralId: "${unique('col')}", collateralType: "vehicle" ${more} }) { ${seen} }`,
  )
const valuation = 'method: APPRAISAL, marketValue: { amount: "1000.00", currency: "EUR" }'
const allocating = (id: string, facilityId: string) =>
  mutate(
    `allocateCollateral(input: { collateralId: $id, facilityId: "${facilityId}", pct: "10" }) { ${seen} }`,
    { id },
  )

describe('Owner of collateral', () => {
  test('defaults to the borrower of the first facility it is allocated to', async () => {
    const { collateralId: id } = await creating(`valuation: { ${valuation} }`)
    const [first, second] = [await aFacility({ partyId: 'pty_grace' }), await aFacility()]
    const owners = [{ partyId: 'pty_grace', sharePct: '100' }]
    expect((await allocating(id, first)).owners).toEqual(owners)
    expect((await allocating(id, second)).owners).toEqual(owners)
  })

  test('defaults to the borrower of a facility it is created with', async () => {
    const facilityId = await aFacility()
    const links = `links: [{ facilityId: "${facilityId}" }]`
    const created = await creating(`valuation: { ${valuation} } ${links}`)
    expect(created).toMatchObject({
      missing: [],
      owners: [{ partyId: 'pty_ada', sharePct: '100' }],
    })
    const { data } = await bank.execute(
      'query ($id: ID!) { collateral(collateralId: $id) { status } }',
      { id: created.collateralId },
      { caller: ada },
    )
    expect(data.collateral).toEqual({ status: 'ACTIVE' })
  })

  test('stays missing when the facility has no borrower', async () => {
    const { collateralId: id } = await creating(`valuation: { ${valuation} }`)
    const allocated = await allocating(id, await aFacility({ partyId: null }))
    expect(allocated).toMatchObject({ owners: [], missing: ['OWNER'] })
  })
})

test('keeps the owner of collateral that is allocated', async () => {
  const owners = 'owners: [{ partyId: "pty_grace", sharePct: "40" }]'
  const { collateralId: id } = await creating(`valuation: { ${valuation} } ${owners}`)
  const allocated = await allocating(id, await aFacility())
  expect(allocated.owners).toEqual([{ partyId: 'pty_grace', sharePct: '40' }])
})

test('reports no missing parts for collateral in a final status', async () => {
  const { collateralId: id, missing } = await creating()
  expect(missing).toEqual(['OWNER', 'VALUATION', 'PERFECTION', 'ALLOCATION'])
  expect((await mutate(`rejectCollateral(collateralId: $id) { ${seen} }`, { id })).missing).toEqual(
    [],
  )
})
