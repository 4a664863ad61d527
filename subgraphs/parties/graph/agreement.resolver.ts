import { requireFound, Requires } from '../../../kernel/authorization/auth.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { id, object } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { textFilter, withTextFilter } from '../../../kernel/graph/text-filter.ts'
import { changeOf, transitionsOf } from '../../../kernel/graph/transitions.ts'
import { createRecord } from '../../../kernel/writing/records.ts'
import { requireActiveParty } from '../commands/active-party.ts'
import { newAgreement, requireSignable, withSignature } from '../domain/agreement.ts'
import { Agreement, agreementStates, CreateAgreementInput } from '../model/agreement.ts'
import { AgreementStatus } from '../model/enumerations.ts'
import { Party } from '../model/party.ts'
import {
  agreementKind,
  agreementSortKey,
  listAgreements,
  loadAgreement,
} from '../store/agreement.ts'
import { loadParty } from '../store/party.ts'

const statusFilterIntro = 'Returns only agreements in this status'

/** The description of the status filter that all lists of agreements share. */
export const agreementStatusDescription = filterDescription(
  statusFilterIntro,
  AgreementStatus.values,
)

/**
 * Returns the status in a filter; null if there is no filter. Throws VALIDATION_FAILED for a text
 * that is not a status.
 */
export const agreementStatusOf = (status: string | null): AgreementStatus | null =>
  filterValue(status, AgreementStatus.values, '/status')

export const AgreementOperations = resolverOf({
  queries: {
    agreement: lookup(Agreement, {
      description: 'Returns one agreement.',
      scope: 'agreements:read',
      find: async (context, agreementId) =>
        requireFound(await loadAgreement(context, agreementId), 'AGREEMENT_NOT_FOUND', agreementId),
    }),
    agreements: withTextFilter(
      listing(Agreement, {
        description: 'Returns agreements in order of creation. All filters must match.',
        scope: 'agreements:read',
        filters: {
          partyId: id('Returns only agreements of this party.').orNull(),
          status: textFilter(statusFilterIntro, AgreementStatus),
        },
        list: listAgreements,
        sortKey: agreementSortKey,
      }),
      'status',
      AgreementStatus,
    ),
  },
  mutations: {
    createAgreement: operation({
      description: 'Creates a draft agreement with an active party.',
      scope: 'agreements:write',
      isForBankOnly: true,
      returns: Agreement,
      args: { input: object(CreateAgreementInput, 'The agreement to create.') },
      resolve: (context, { input }, name) =>
        createRecord(context, agreementKind, name, input, input.agreementId, async (stamp) => ({
          writes: [await requireActiveParty(context, input.partyId)],
          record: newAgreement(input, { ...stamp, agreementId: stamp.id }),
        })),
    }),
    ...transitionsOf(agreementStates, changeOf(agreementKind), {
      signAgreement(signed, { before, now }) {
        const signedAt = signed.signedAt ?? now
        requireSignable(before, signedAt, now)
        return withSignature(signed, signedAt)
      },
    }),
  },
})

@Resolver(() => Agreement)
export class AgreementResolver {
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
