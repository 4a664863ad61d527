import { requireStrongLogIn } from '../../../kernel/authorization/approvals.ts'
import { requireBank } from '../../../kernel/authorization/auth.ts'
import { id, list, object, oneOf, text } from '../../../kernel/domain/model.ts'
import { maxPageSize } from '../../../kernel/graph/connection.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { changeOf } from '../../../kernel/graph/transitions.ts'
import * as domain from '../domain/party.ts'
import { Problem } from '../domain/problems.ts'
import { ContactChannel } from '../model/enumerations.ts'
import { Party, PartyContact } from '../model/party.ts'
import { ContactPointInput, SetConsentInput } from '../model/party-inputs.ts'
import { loadParty, partyKind } from '../store/party.ts'

const change = changeOf(partyKind)

const partyId = id('The ID of the party.')

function contactOf(party: Party): PartyContact {
  return {
    partyId: party.partyId,
    status: party.status,
    displayName: domain.displayName(party),
    language: party.language,
    timeZone: party.timeZone,
    contactPoints: domain.preferredContactPoints(party),
  }
}

/** Operations on the addresses of parties and on their communication preferences. */
export const ContactOperations = resolverOf({
  queries: {
    partyContacts: operation({
      description:
        'Returns the contact details of up to 200 parties, in the order of the given IDs. Parties ' +
        'that do not exist or are not visible to the caller are omitted.',
      scope: 'parties:read',
      returns: [PartyContact],
      args: { partyIds: list(id(), 'The IDs of the parties, at most 200.') },
      async resolve(context, { partyIds }) {
        if (partyIds.length > maxPageSize) {
          const detail = `A request can name at most ${maxPageSize} parties.`
          throw new Problem('VALIDATION_FAILED', {
            detail,
            errors: [{ pointer: '/partyIds', code: 'TOO_MANY', detail }],
          })
        }
        const parties = await Promise.all(partyIds.map((each: string) => loadParty(context, each)))
        return parties.filter((party) => party !== null).map(contactOf)
      },
    }),
  },
  mutations: {
    restrictProcessing: operation({
      description:
        'Restricts the processing of the data of a party to storage (GDPR article 18). Until the ' +
        'restriction is lifted, the party gets no messages except those required by law, and no ' +
        'offers; assistants do not use its data, and its data is not erased.',
      scope: 'privacy:write',
      isForBankOnly: true,
      returns: Party,
      args: { partyId, reason: text('The reason, such as that the person disputes the data.') },
      resolve: (context, { partyId, reason }, name) =>
        change(
          context,
          name,
          { partyId, reason },
          partyId,
          'parties.party.restricted',
          (party, now) => domain.restrict(party, reason, now),
        ),
    }),
    liftRestriction: operation({
      description: 'Lifts the restriction of the processing of the data of a party.',
      scope: 'privacy:write',
      isForBankOnly: true,
      returns: Party,
      args: { partyId },
      resolve: (context, { partyId }, name) =>
        change(
          context,
          name,
          { partyId },
          partyId,
          'parties.party.restriction-lifted',
          domain.liftRestriction,
        ),
    }),
    addContactPoint: operation({
      description:
        'Adds an address to a party. Only the bank may add an address as already verified. A ' +
        'customer under strong customer authentication must have logged in with a passkey during ' +
        'the last five minutes.',
      scope: 'parties:write',
      returns: Party,
      args: {
        partyId,
        contactPoint: object(
          ContactPointInput,
          'The address to add. The party must not already have it.',
        ),
      },
      resolve(context, input, name) {
        const { contactPoint } = input
        if (contactPoint.verified) requireBank(context)
        const event = 'parties.party.updated'
        return change(context, name, input, input.partyId, event, async (party) => {
          await requireStrongLogIn(context, [party.partyId])
          return domain.withContactPoint(party, contactPoint, '/contactPoint')
        })
      },
    }),
    verifyContactPoint: operation({
      description:
        'Marks an address of a party as verified. Has no effect if the address is already verified.',
      scope: 'parties:write',
      isForBankOnly: true,
      returns: Party,
      args: {
        partyId,
        channel: oneOf(ContactChannel, 'The channel of the address.'),
        address: text('The address to mark as verified.'),
      },
      resolve: (context, input, name) =>
        change(
          context,
          name,
          input,
          input.partyId,
          'parties.party.contact-point-verified',
          (party) => domain.verifyContactPoint(party, input),
        ),
    }),
    removeContactPoint: operation({
      description:
        'Removes an address from a party. A customer under strong customer authentication must ' +
        'have logged in with a passkey during the last five minutes.',
      scope: 'parties:write',
      returns: Party,
      args: {
        partyId,
        channel: oneOf(ContactChannel, 'The channel of the address.'),
        address: text('The address to remove.'),
      },
      resolve: (context, input, name) =>
        change(context, name, input, input.partyId, 'parties.party.updated', async (party) => {
          await requireStrongLogIn(context, [party.partyId])
          return domain.withoutContactPoint(party, input)
        }),
    }),
    setConsent: operation({
      description:
        'Changes the communication preferences of a party: marketing opt-outs, suppressed ' +
        'channels and quiet hours.',
      scope: 'parties:write',
      returns: Party,
      args: { input: object(SetConsentInput, 'The changes to make.') },
      resolve: (context, { input }, name) =>
        change(context, name, input, input.partyId, 'parties.party.consent-changed', (party) =>
          domain.changeConsent(party, input),
        ),
    }),
  },
})
