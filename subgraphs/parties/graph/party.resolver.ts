import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireVisible, Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { openBusinessOfParty } from '../../_kernel/lifecycle.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { mostPageSize, readPage, type Page } from '../../_kernel/graph/connection.ts'
import { LabelScalar, LocalDateScalar, TextScalar } from '../../_kernel/scalars.ts'
import { change, create, ownersOf } from '../change.ts'
import type { Agreement as DomainAgreement } from '../domain/agreement.ts'
import type { ContactChannel } from '../domain/contact.ts'
import type { Customer as DomainCustomer } from '../domain/customer.ts'
import * as domain from '../domain/party.ts'
import type { PartyEvent } from '../events.ts'
import { loadCustomersOf } from '../store/customer.ts'
import { listParties, loadParty, openRecordsOf, partyKind } from '../store/party.ts'
import { agreementPage, agreementStatusFilter } from './agreement.resolver.ts'
import { AgreementConnection } from './agreement.types.ts'
import { Customer } from './customer.types.ts'
import {
  ContactChannelEnum,
  ContactPointInput,
  CreatePartyInput,
  Party,
  PartyConnection,
  PartyContact,
  SetConsentInput,
  UpdatePartyInput,
} from './party.types.ts'

@Resolver(() => Party)
export class PartyResolver {
  @Requires('parties:read')
  @Query(() => Party, { description: 'One party.' })
  async party(@Arg('partyId', () => ID) partyId: string, @Ctx() context: Context) {
    const party = await loadParty(context, partyId)
    return requireVisible(context, party, ownersOf, 'PARTY_NOT_FOUND', partyId)
  }

  @Requires('parties:read')
  @Query(() => Party, {
    nullable: true,
    description: 'The party you act for; null for a client that acts for nobody.',
  })
  me(@Ctx() context: Context): Promise<domain.Party | null> | null {
    const { partyId } = context.caller
    return partyId === null ? null : loadParty(context, partyId)
  }

  @Requires('parties:read')
  @Query(() => PartyConnection, { description: 'Parties in the order they were created.' })
  parties(
    @Arg('search', () => LabelScalar, {
      nullable: true,
      description:
        'What names begin with, in any letter case (`ada love`), or an address of theirs, exactly.',
    })
    search: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<domain.Party>> {
    return readPage(
      context,
      'parties',
      { search: search ?? null },
      { first, after },
      (from, take) => listParties(context, search?.trim() || null, from, take),
      ({ createdAt, partyId }) => [createdAt.toISOString(), partyId],
    )
  }

  @Requires('parties:read')
  @Query(() => [PartyContact], {
    description:
      'How to reach parties, in the order of their ids; those that are absent are left out.',
  })
  async partyContacts(
    @Arg('partyIds', () => [ID]) partyIds: string[],
    @Ctx() context: Context,
  ): Promise<PartyContact[]> {
    if (partyIds.length > mostPageSize) {
      const detail = `At most ${mostPageSize} parties at once.`
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
  @Mutation(() => Party, { description: 'Makes a person or an organisation known to the bank.' })
  createParty(
    @Arg('input', () => CreatePartyInput) input: CreatePartyInput,
    @Ctx() context: Context,
  ): Promise<domain.Party> {
    requireBank(context)
    return create(context, partyKind, 'createParty', input, input.partyId, async (made) => ({
      record: domain.newParty(input, { ...made, partyId: made.id }),
    }))
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Renames a party, or changes its language or time zone.' })
  updateParty(
    @Arg('input', () => UpdatePartyInput) input: UpdatePartyInput,
    @Ctx() context: Context,
  ) {
    return changed(context, 'updateParty', input, 'parties.party.updated', (party) =>
      domain.changeParty(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Adds an address. Only the bank may say it is verified.' })
  addContactPoint(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('contactPoint', () => ContactPointInput) contactPoint: ContactPointInput,
    @Ctx() context: Context,
  ) {
    if (contactPoint.verified) requireBank(context)
    const input = { partyId, contactPoint }
    return changed(context, 'addContactPoint', input, 'parties.party.updated', (party) =>
      domain.withContactPoint(party, contactPoint, '/contactPoint'),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Records that a party receives what an address is sent.' })
  verifyContactPoint(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('channel', () => ContactChannelEnum) channel: ContactChannel,
    @Arg('address', () => TextScalar) address: string,
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
  @Mutation(() => Party, { description: 'Forgets an address.' })
  removeContactPoint(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('channel', () => ContactChannelEnum) channel: ContactChannel,
    @Arg('address', () => TextScalar) address: string,
    @Ctx() context: Context,
  ) {
    const input = { partyId, channel, address }
    return changed(context, 'removeContactPoint', input, 'parties.party.updated', (party) =>
      domain.withoutContactPoint(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, { description: 'Changes what a party consents to be sent, and when.' })
  setConsent(@Arg('input', () => SetConsentInput) input: SetConsentInput, @Ctx() context: Context) {
    return changed(context, 'setConsent', input, 'parties.party.consent-changed', (party) =>
      domain.changeConsent(party, input),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Records that a person died. New credit, drawdowns, accounts and transfers of the person are rejected from then on, and a case for the estate is opened.',
  })
  recordDeath(
    @Arg('partyId', () => ID) partyId: string,
    @Arg('diedOn', () => LocalDateScalar) diedOn: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { partyId, diedOn }
    return changed(context, 'recordDeath', input, 'parties.party.deceased', (party, _today, now) =>
      domain.recordDeath(party, diedOn, now),
    )
  }

  @Requires('parties:write')
  @Mutation(() => Party, {
    description:
      'Ends the relation with a party that has no open customer, agreement, account or facility.',
  })
  closeParty(@Arg('partyId', () => ID) partyId: string, @Ctx() context: Context) {
    requireBank(context)
    return changed(context, 'closeParty', { partyId }, 'parties.party.closed', async (party) =>
      domain.closeParty(party, [
        ...(await openRecordsOf(context, partyId)),
        ...(await openBusinessOfParty(context, partyId)),
      ]),
    )
  }

  @FieldResolver(() => String, { description: 'What the party is called, in one line.' })
  displayName(@Root() party: domain.Party): string {
    return domain.displayName(party)
  }

  @Requires('parties:read')
  @FieldResolver(() => [Customer], { nullable: true })
  customers(@Root() { partyId }: domain.Party, @Ctx() context: Context) {
    return loadCustomersOf(context, partyId) as Promise<DomainCustomer[]>
  }

  @Requires('agreements:read')
  @FieldResolver(() => AgreementConnection, { nullable: true })
  agreements(
    @Root() { partyId }: domain.Party,
    @Arg('status', () => String, agreementStatusFilter) status: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainAgreement>> {
    return agreementPage(context, { partyId, status }, { first, after })
  }
}

function changed(
  context: Context,
  operation: string,
  input: { partyId: string },
  event: PartyEvent,
  decide: (party: domain.Party, today: string, now: Date) => domain.Party | Promise<domain.Party>,
): Promise<domain.Party> {
  return change(context, partyKind, operation, input, input.partyId, event, decide)
}
