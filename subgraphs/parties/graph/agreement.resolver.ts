import { Agreement, AgreementConnection, CreateAgreementInput } from '../model/agreement.ts'
import { AgreementStatus } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { missingReference } from '../../../kernel/domain/problem.ts'
import { Problem } from '../domain/problems.ts'
import {
  AfterArg,
  FirstArg,
  type Page,
  type PageRequest,
  readPage,
} from '../../../kernel/graph/connection.ts'
import { DateTimeScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import { change, create } from '../commands/party.ts'
import * as domain from '../domain/agreement.ts'
import { requireActive } from '../domain/party.ts'
import type { AgreementEvent } from '../events.ts'
import {
  agreementKind,
  listAgreements,
  loadAgreement,
  type AgreementFilter,
} from '../store/agreement.ts'
import { findParty, holdParty, loadParty } from '../store/party.ts'
import { Party } from '../model/party.ts'

/** The status filter that all lists of agreements share. */
export const agreementStatusFilter = {
  nullable: true,
  description: filterDescription('Returns only agreements in this status', AgreementStatus.values),
}

@Resolver(() => Agreement)
export class AgreementResolver {
  @Requires('agreements:read')
  @Query(() => Agreement, { description: 'Returns one agreement.' })
  async agreement(
    @Arg('agreementId', () => ID, { description: 'The ID of the agreement.' })
    agreementId: string,
    @Ctx() context: Context,
  ) {
    const agreement = await loadAgreement(context, agreementId)
    if (agreement) return agreement
    throw new Problem('AGREEMENT_NOT_FOUND', { resourceId: agreementId })
  }

  @Requires('agreements:read')
  @Query(() => AgreementConnection, {
    description: 'Returns agreements in order of creation. All filters must match.',
  })
  agreements(
    @Arg('partyId', () => ID, {
      nullable: true,
      description: 'Returns only agreements of this party.',
    })
    partyId: string | null,
    @Arg('status', () => String, agreementStatusFilter) status: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Agreement>> {
    return agreementPage(context, { partyId, status }, { first, after })
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, { description: 'Creates a draft agreement with an active party.' })
  createAgreement(
    @Arg('input', () => CreateAgreementInput, { description: 'The agreement to create.' })
    input: CreateAgreementInput,
    @Ctx() context: Context,
  ): Promise<Agreement> {
    requireBank(context)
    const { agreementId, partyId } = input
    return create(context, agreementKind, 'createAgreement', input, agreementId, async (stamp) => {
      const party = await findParty(context, partyId)
      if (!party) throw missingReference('PARTY_NOT_FOUND', partyId, '/partyId')
      requireActive(party)
      const record = domain.newAgreement(input, { ...stamp, agreementId: stamp.id })
      return { record, guards: [holdParty(partyId)] }
    })
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, { description: 'Sends a draft agreement to its party for signature.' })
  sendAgreementForSignature(
    @Arg('agreementId', () => ID, { description: 'The ID of the draft agreement.' })
    agreementId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const event = 'agreements.agreement.sent-for-signature'
    const operation = 'sendAgreementForSignature'
    return changeAgreement(context, operation, { agreementId }, event, domain.sendForSignature)
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, {
    description:
      "Records the party's signature and activates the agreement. Rejected if the last day of " +
      'the agreement has passed.',
  })
  signAgreement(
    @Arg('agreementId', () => ID, {
      description: 'The ID of an agreement that waits for its signature.',
    })
    agreementId: string,
    @Arg('signedAt', () => DateTimeScalar, {
      nullable: true,
      description:
        'When the party signed. Defaults to the current time. It must not be in the future.',
    })
    signedAt: Date | null,
    @Ctx() context: Context,
  ) {
    const input = { agreementId, signedAt }
    const event = 'agreements.agreement.signed'
    return changeAgreement(context, 'signAgreement', input, event, (agreement, _, now) =>
      domain.signAgreement(agreement, signedAt ?? now, now),
    )
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, { description: 'Withdraws an agreement that has not been signed.' })
  cancelAgreement(
    @Arg('agreementId', () => ID, { description: 'The ID of the unsigned agreement.' })
    agreementId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the cancellation, stored as `statusReason`.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ) {
    const input = { agreementId, reason }
    const event = 'agreements.agreement.cancelled'
    return changeAgreement(context, 'cancelAgreement', input, event, (agreement) =>
      domain.cancelAgreement(agreement, reason ?? null),
    )
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, { description: 'Suspends an active agreement. It can be resumed.' })
  suspendAgreement(
    @Arg('agreementId', () => ID, { description: 'The ID of the active agreement.' })
    agreementId: string,
    @Arg('reason', () => TextScalar, {
      nullable: true,
      description: 'The reason for the suspension, stored as `statusReason`.',
    })
    reason: string | null,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { agreementId, reason }
    const event = 'agreements.agreement.suspended'
    return changeAgreement(context, 'suspendAgreement', input, event, (agreement) =>
      domain.suspendAgreement(agreement, reason ?? null),
    )
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, { description: 'Resumes a suspended agreement.' })
  resumeAgreement(
    @Arg('agreementId', () => ID, { description: 'The ID of the suspended agreement.' })
    agreementId: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const event = 'agreements.agreement.activated'
    return changeAgreement(
      context,
      'resumeAgreement',
      { agreementId },
      event,
      domain.resumeAgreement,
    )
  }

  @Requires('agreements:write')
  @Mutation(() => Agreement, {
    description: 'Ends an active or suspended agreement before its last day.',
  })
  terminateAgreement(
    @Arg('agreementId', () => ID, { description: 'The ID of the agreement to end.' })
    agreementId: string,
    @Arg('reason', () => TextScalar, {
      description: 'The reason for the termination, stored as `statusReason`.',
    })
    reason: string,
    @Ctx() context: Context,
  ) {
    requireBank(context)
    const input = { agreementId, reason }
    const event = 'agreements.agreement.terminated'
    return changeAgreement(context, 'terminateAgreement', input, event, (agreement) =>
      domain.terminateAgreement(agreement, reason),
    )
  }

  @Requires('parties:read')
  @FieldResolver(() => Party, {
    nullable: true,
    description:
      'The party that enters into the agreement; null if the party is not visible to the caller.',
  })
  party(@Root() { partyId }: Agreement, @Ctx() context: Context) {
    return loadParty(context, partyId)
  }
}

/** Returns one page of the agreements that the caller may read. */
export function agreementPage(
  context: Context,
  request: { partyId?: string | null; status?: string | null },
  page: PageRequest,
): Promise<Page<Agreement>> {
  const filter: AgreementFilter = {
    partyId: request.partyId ?? null,
    status: filterValue(request.status, AgreementStatus.values, '/status'),
  }
  return readPage(
    context,
    'agreements',
    { ...filter },
    page,
    (after, take) => listAgreements(context, filter, after, take),
    ({ createdAt, agreementId }) => [createdAt.toISOString(), agreementId],
  )
}

function changeAgreement(
  context: Context,
  operation: string,
  input: { agreementId: string },
  event: AgreementEvent,
  decide: (agreement: Agreement, today: string, now: Date) => Agreement,
): Promise<Agreement> {
  return change(context, agreementKind, operation, input, input.agreementId, event, decide)
}
