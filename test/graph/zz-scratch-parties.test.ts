import { afterAll, beforeAll, expect, test } from 'vitest'
import { aPlatform, type Platform } from '../kit/platform.ts'
let bank: Platform
beforeAll(async () => { bank = await aPlatform('sandbox') })
afterAll(() => bank.stop())
test('as a user', async () => {
  const show = (x: any) => console.log(JSON.stringify(x.body ?? x))
  show(await bank.graph(`mutation { createParty(input: {partyId: "pty_ada", kind: PERSON, givenName: "Ada"}) { partyId displayName } }`))
  show(await bank.graph(`mutation { createAgreement(input: {agreementId: "agr_1", partyId: "pty_ada", productCode: "P", agreementType: "current-account", effectiveFrom: "2026-01-01"}) { agreementId status party { displayName } } }`))
  show(await bank.graph(`mutation { createAgreement(input: {partyId: "pty_x", productCode: "P", agreementType: "T"}) { agreementId } }`))
  show(await bank.rest('GET', '/agreements?partyId=pty_ada&status=DRAFT'))
  show(await bank.rest('GET', '/v1/agreements?partyId=pty_ada&status=DRAFT'))
  show(await bank.rest('GET', '/v1/agreements?partyId=no%20such%20party'))
  await new Promise((r) => setTimeout(r, 500))
  show(await bank.graph(`{ businessEvents { nodes { position type sequence subject { ... on Party { displayName } ... on Agreement { agreementId party { partyId } } } } } }`))
})
