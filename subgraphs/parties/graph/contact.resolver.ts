import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { mostPageSize } from '../../_kernel/graph/connection.ts'
import { TextScalar } from '../../_kernel/scalars.ts'
import type { ContactChannel } from '../domain/contact.ts'
import * as domain from '../domain/party.ts'
import { loadParty } from '../store/party.ts'
import { ContactPointInput, SetConsentInput } from './party.inputs.ts'
import { changed } from './party.resolver.ts'
import { ContactChannelEnum, Party, PartyContact } from './party.types.ts'

/** The addresses of parties and their communication preferences. */
@Resolver(() => Party)
export class ContactResolver {
  @Requires('parties:read')
  @Query(() => [PartyContact], {
    description:
      'Returns the contact details of up to 200 parties, in the order of the given ' +
      'identifiers. Parties that do not exist or are not visible to the caller are left ' +
      'out.',
  })
  async partyContacts(
    @Arg('partyIds', () => [ID], { description: 'The identifiers of the parties, at most 200.' })
    partyIds: string[],
    @Ctx() context: Context,
  ): Promise<PartyContact[]> {
    if (partyIds.length > mostPageSize) {
      const detail = `A request can name at most ${mostPageSize} parties.`
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
        contactPoints: domain.reach({ ...rest, partyId, status, language, timeZone }),
      }))
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Adds an address to a party. Only the bank may add an address as already verified.',
  })
  addContactPoint(
    @Arg('partyId', () => ID, { description: 'The identifier of the party.' }) partyId: string,
    @Arg('contactPoint', () => ContactPointInput, {
      description: 'The address to add. The party must not have it yet.',
    })
    contactPoint: ContactPointInput,
    @Ctx() context: Context,
  ) {
    if (contactPoint.verified) requireBank(context)
    const input = { partyId, contactPoint }
    return changed(context, 'addContactPoint', input, 'parties.party.updated', (party) =>
      domain.withContactPoint(party, contactPoint, '/contactPoint'),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Marks an address of a party as verified. Has no effect when it is verified already.',
  })
  verifyContactPoint(
    @Arg('partyId', () => ID, { description: 'The identifier of the party.' }) partyId: string,
    @Arg('channel', () => ContactChannelEnum, { description: 'The channel of the address.' })
    channel: ContactChannel,
    @Arg('address', () => TextScalar, { description: 'The address to mark as verified.' })
    address: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { partyId, channel, address }
    const event = 'parties.party.contact-point-verified'
    return changed(context, 'verifyContactPoint', input, event, (party) =>
      domain.verifyContactPoint(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Removes an address from a party.' })
  removeContactPoint(
    @Arg('partyId', () => ID, { description: 'The identifier of the party.' }) partyId: string,
    @Arg('channel', () => ContactChannelEnum, { description: 'The channel of the address.' })
    channel: ContactChannel,
    @Arg('address', () => TextScalar, { description: 'The address to remove.' }) address: string,
    @Ctx() context: Context,
  ) {
    const input = { partyId, channel, address }
    return changed(context, 'removeContactPoint', input, 'parties.party.updated', (party) =>
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
    return changed(context, 'setConsent', input, 'parties.party.consent-changed', (party) =>
      domain.changeConsent(party, input),
    )
  }
}
