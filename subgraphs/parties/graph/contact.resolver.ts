import { ContactChannel } from '../model/enumerations.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { maxPageSize } from '../../../kernel/graph/connection.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import * as domain from '../domain/party.ts'
import { loadParty } from '../store/party.ts'
import { ContactPointInput, SetConsentInput } from '../model/party-inputs.ts'
import { changeParty } from './party.resolver.ts'
import { Party, PartyContact } from '../model/party.ts'

/** Operations on the addresses of parties and on their communication preferences. */
@Resolver(() => Party)
export class ContactResolver {
  @Requires('parties:read')
  @Query(() => [PartyContact], {
    description:
      'Returns the contact details of up to 200 parties, in the order of the given IDs. Parties ' +
      'that do not exist or are not visible to the caller are omitted.',
  })
  async partyContacts(
    @Arg('partyIds', () => [ID], { description: 'The IDs of the parties, at most 200.' })
    partyIds: string[],
    @Ctx() context: Context,
  ): Promise<PartyContact[]> {
    if (partyIds.length > maxPageSize) {
      const detail = `A request can name at most ${maxPageSize} parties.`
      throw new Problem('VALIDATION_FAILED', {
        detail,
        errors: [{ pointer: '/partyIds', code: 'TOO_MANY', detail }],
      })
    }
    const parties = await Promise.all(partyIds.map((partyId) => loadParty(context, partyId)))
    return parties
      .filter((party) => party !== null)
      .map(({ partyId, status, language, timeZone, ...rest }) => ({
        partyId,
        status,
        displayName: domain.displayName(rest),
        language,
        timeZone,
        contactPoints: domain.preferredContactPoints({
          ...rest,
          partyId,
          status,
          language,
          timeZone,
        }),
      }))
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Adds an address to a party. Only the bank may add an address as already verified.',
  })
  addContactPoint(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Arg('contactPoint', () => ContactPointInput, {
      description: 'The address to add. The party must not already have it.',
    })
    contactPoint: ContactPointInput,
    @Ctx() context: Context,
  ) {
    if (contactPoint.verified) requireBank(context)
    const input = { partyId, contactPoint }
    return changeParty(context, 'addContactPoint', input, 'parties.party.updated', (party) =>
      domain.withContactPoint(party, contactPoint, '/contactPoint'),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Marks an address of a party as verified. Has no effect if the address is already verified.',
  })
  verifyContactPoint(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Arg('channel', () => ContactChannel, { description: 'The channel of the address.' })
    channel: ContactChannel,
    @Arg('address', () => TextScalar, { description: 'The address to mark as verified.' })
    address: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { partyId, channel, address }
    const event = 'parties.party.contact-point-verified'
    return changeParty(context, 'verifyContactPoint', input, event, (party) =>
      domain.verifyContactPoint(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Removes an address from a party.' })
  removeContactPoint(
    @Arg('partyId', () => ID, { description: 'The ID of the party.' }) partyId: string,
    @Arg('channel', () => ContactChannel, { description: 'The channel of the address.' })
    channel: ContactChannel,
    @Arg('address', () => TextScalar, { description: 'The address to remove.' }) address: string,
    @Ctx() context: Context,
  ) {
    const input = { partyId, channel, address }
    return changeParty(context, 'removeContactPoint', input, 'parties.party.updated', (party) =>
      domain.withoutContactPoint(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Changes the communication preferences of a party: marketing opt-outs, suppressed ' +
      'channels and quiet hours.',
  })
  setConsent(
    @Arg('input', () => SetConsentInput, { description: 'The changes to make.' })
    input: SetConsentInput,
    @Ctx() context: Context,
  ) {
    return changeParty(context, 'setConsent', input, 'parties.party.consent-changed', (party) =>
      domain.changeConsent(party, input),
    )
  }
}
