import { expect } from 'vitest'
import { parties } from '../../../subgraphs/parties/index.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

export interface PartiesBank extends RunningSubgraph {
  /** Each creates a record and returns its id. */
  aParty(): Promise<string>
  aCustomer(partyId: string): Promise<string>
  anAgreement(partyId: string, more?: object): Promise<string>
  /** Everything that a rejected command must leave unchanged. */
  everything(): Promise<object & { events: { subject: string }[] }>
  /** The types of the events emitted for a subject, in their order. */
  eventsOf(subject: string): Promise<string[]>
}

let made = 0
export const unique = (prefix: string) => `${prefix}_${++made}`

/** The subgraph on its own database, with shortcuts that create records. */
export async function aPartiesBank(): Promise<PartiesBank> {
  const bank = await aSubgraph(parties)
  const create = async (name: string, type: string, key: string, input: object) => {
    const id = unique(key.slice(0, 3))
    const document = `mutation ($input: ${type}!) { ${name}(input: $input) { ${key} } }`
    const { errors } = await bank.execute(document, { input: { ...input, [key]: id } })
    expect(errors).toEqual([])
    return id
  }
  const rows = (table: string, order: string) =>
    bank.rows(`select * from ${table} order by ${order}`)
  return {
    ...bank,
    aParty: () => create('createParty', 'CreatePartyInput', 'partyId', ada),
    aCustomer: (partyId) =>
      create('createCustomer', 'CreateCustomerInput', 'customerId', { partyId }),
    anAgreement: (partyId, more = {}) =>
      create('createAgreement', 'CreateAgreementInput', 'agreementId', {
        partyId,
        productCode: 'current',
        agreementType: 'current-account',
        ...more,
      }),
    everything: async () => ({
      parties: await rows('parties.party', 'party_id'),
      customers: await rows('parties.customer', 'customer_id'),
      agreements: await rows('parties.agreement', 'agreement_id'),
      facts: await rows('kernel.fact', 'subject'),
      keys: await rows('kernel.idempotency', 'key'),
      events: await bank.events(),
    }),
    async eventsOf(subject) {
      const events = await bank.events()
      return events.filter((event) => event.subject === subject).map(({ type }) => type)
    },
  }
}

const ada = {
  kind: 'PERSON',
  givenName: 'Ada',
  familyName: 'Lovelace',
  timeZone: 'Europe/London',
  contactPoints: [{ channel: 'EMAIL', address: 'ada@example.com', verified: true }],
}
