import { Requires, requireFound } from '../../../../kernel/authorization/auth.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { connectionOf, object, type Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage } from '../../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../../kernel/graph/money.types.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../../kernel/graph/transitions.ts'
import {
  addFacilityObligor,
  changeObligor,
  decideRelease,
} from '../../commands/obligors/obligor.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { claimMinorOf, guaranteedMinorOf } from '../../domain/obligors/obligor.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { Party } from '../../model/facilities/references.ts'
import {
  AddFacilityObligorInput,
  FacilityObligor,
  obligorStates,
} from '../../model/obligors/obligor.ts'
import { loadFacility } from '../../store/facilities/facility.ts'
import { loadReceived } from '../../store/obligors/guarantee-call.ts'
import {
  listObligors,
  loadFacilityOfObligor,
  loadObligor,
  obligorSortKey,
  type ObligorFilter,
} from '../../store/obligors/obligor.ts'

export const ObligorOperations = resolverOf({
  queries: {
    facilityObligor: lookup(FacilityObligor, {
      description: 'Returns a co-borrower or a guarantor of a facility.',
      scope: 'lending:read',
      find: async (context, id) =>
        requireFound(await loadObligor(context, id), 'OBLIGOR_NOT_FOUND', id),
    }),
  },
  mutations: {
    addFacilityObligor: operation({
      description:
        'Adds a co-borrower or a guarantor to a facility. A co-borrower may read the facility and ' +
        'repay it; a guarantor sees only the guarantee until the bank calls it. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: FacilityObligor,
      args: { input: object(AddFacilityObligorInput, 'The obligor to add.') },
      resolve: (context, { input }) => addFacilityObligor(context, input),
    }),
    ...transitionsOf(obligorStates, changeObligor, {
      approveObligorRelease: decideRelease,
      rejectObligorRelease: decideRelease,
    }),
  },
})

@Resolver(() => FacilityObligor)
export class ObligorResolver {
  @FieldResolver(() => Party, { nullable: true, description: 'The party that is liable.' })
  party(@Root() { partyId }: FacilityObligor): Party {
    return { partyId }
  }

  @FieldResolver(() => Facility, {
    nullable: true,
    description:
      'The facility for which the party is liable; null if the caller may not read it, such as a ' +
      'guarantor whose guarantee was not called.',
  })
  facility(
    @Root() { facilityId }: FacilityObligor,
    @Ctx() context: Context,
  ): Promise<FacilityRecord | null> {
    return loadFacility(context, facilityId)
  }

  @FieldResolver(() => MoneyType, {
    nullable: true,
    description:
      'The maximum amount for which a guarantor is liable; null if there is none, and for a ' +
      'co-borrower.',
  })
  amount(@Root() { amountMinor, currency }: FacilityObligor): MoneyType | null {
    return amountMinor === null ? null : moneyOut({ amountMinor, currency })
  }

  @FieldResolver(() => MoneyType, {
    description:
      'The amount for which the party is liable now: everything that is owed for a co-borrower, and ' +
      'the guaranteed part of it for a guarantor, less what was received when the guarantee was ' +
      'called. What was charged off does not count. Zero if the party is not liable.',
  })
  async guaranteed(@Root() obligor: FacilityObligor, @Ctx() context: Context): Promise<MoneyType> {
    const { obligorId, facilityId, currency } = obligor
    const [facility, received] = await Promise.all([
      loadFacilityOfObligor(context, facilityId),
      loadReceived(context, obligorId),
    ])
    const today = dateOf(context.now())
    const claimMinor = claimMinorOf(facility!)
    const amountMinor = guaranteedMinorOf(obligor, claimMinor, received!.totalMinor, today)
    return moneyOut({ amountMinor, currency })
  }
}

function pageOf(
  context: Context,
  name: string,
  filter: ObligorFilter,
  page: { first: number | null; after: string | null },
) {
  const list = (from: string[] | null, take: number) => listObligors(context, filter, from, take)
  return readPage(context, name, filter, page, list, obligorSortKey)
}

/** Returns a resolver for the obligors of a facility, which `Facility` and `Loan` share. */
function obligorsOf(type: Shape) {
  @Resolver(() => type)
  class ObligorsResolver {
    @Requires('lending:read')
    @FieldResolver(() => connectionOf(FacilityObligor), {
      description:
        'The co-borrowers and guarantors in the order in which they were added. An obligor sees only ' +
        'itself.',
    })
    obligors(
      @Root() { facilityId }: FacilityRecord,
      @FirstArg() first: number | null,
      @AfterArg() after: string | null,
      @Ctx() context: Context,
    ) {
      return pageOf(context, 'obligors', { facilityId }, { first, after })
    }
  }
  return ObligorsResolver
}

export const FacilityObligorsResolver = obligorsOf(Facility)
export const LoanObligorsResolver = obligorsOf(Loan)

@Resolver(() => Party)
export class PartyObligationsResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(FacilityObligor), {
    nullable: true,
    description:
      'What the party is liable for as a co-borrower or a guarantor, in the order in which it was ' +
      'added. Facilities that the party borrowed itself are not part of it.',
  })
  obligations(
    @Root() { partyId }: Party,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    return pageOf(context, 'obligations', { partyId }, { first, after })
  }
}
