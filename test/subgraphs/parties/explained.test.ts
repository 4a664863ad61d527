import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPartiesBank, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

test('explains access by the current grant, however often it was granted and revoked before', async () => {
  const [grantor, grantee] = [await bank.aParty(), await bank.aParty()]
  const resource = `agreement/${await bank.anAgreement(grantor)}`
  const grant = async (entitlementId: string) => {
    const { errors } = await bank.execute(
      `mutation { grantEntitlement(input: { entitlementId: "${entitlementId}", resource: "${resource}",
        grantorPartyId: "${grantor}", granteePartyId: "${grantee}", right: VIEW }) { status } }`,
    )
    expect(errors).toEqual([])
  }
  await grant('grant_first')
  await bank.execute('mutation { revokeEntitlement(entitlementId: "grant_first") { status } }')
  await bank.rows(
    `insert into parties.entitlement select r.* from parties.entitlement e, generate_series(1, 120) n,
      jsonb_populate_record(e, jsonb_build_object('entitlement_id', 'grant_' || n)) r`,
  )
  bank.clock.advance(1000)
  await grant('grant_last')
  const { data } = await bank.execute(
    `{ explainEntitlement(partyId: "${grantee}", resource: "${resource}", right: VIEW) {
      allowed because { allows entitlementId } } }`,
  )
  expect(data.explainEntitlement.allowed).toBe(true)
  expect(data.explainEntitlement.because.at(-1)).toEqual({
    allows: true,
    entitlementId: 'grant_last',
  })
})
