import { requireFound, Requires } from '../../../../kernel/authorization/auth.ts'
import { connectionOf, id, object, oneOf, string } from '../../../../kernel/domain/model.ts'
import { parseAmount } from '../../../../kernel/domain/money.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../../kernel/graph/connection.ts'
import { Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import type { MoneyInput } from '../../../../kernel/graph/money.types.ts'
import { listing, lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { changeSettlementAccount } from '../../commands/facilities/change-settlement-account.ts'
import { openFacility } from '../../commands/facilities/open-facility.ts'
import { cancelFacility } from '../../commands/losses/loss.ts'
import { isAmortizing, type Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { Problem } from '../../domain/problems.ts'
import { FacilityKind, FacilityState } from '../../model/facilities/enumerations.ts'
import {
  ChangeSettlementAccountInput,
  OpenFacilityInput,
} from '../../model/facilities/facility-inputs.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { Customer } from '../../model/facilities/references.ts'
import { facilitySortKey, listFacilities, loadFacility } from '../../store/facilities/facility.ts'
import { loanOut } from './facility-out.ts'

export const FacilityOperations = resolverOf({
  queries: {
    facility: lookup(Facility, {
      description: 'Returns a facility.',
      scope: 'lending:read',
      find: async (context, id) =>
        requireFound(await loadFacility(context, id), 'FACILITY_NOT_FOUND', id),
    }),
    facilities: listing(Facility, {
      description: 'Lists facilities in the order in which they were created.',
      scope: 'lending:read',
      filters: {
        customerId: id('Returns only facilities of this customer.').orNull(),
        kind: oneOf(FacilityKind, 'Returns only facilities of this kind.').orNull(),
        state: oneOf(FacilityState, 'Returns only facilities in this state.').orNull(),
        delinquencyBucket: string(
          'Returns only facilities in this delinquency bucket, such as `30-59` or `90+`.',
        ).orNull(),
      },
      list: listFacilities,
      sortKey: facilitySortKey,
    }),
    loan: lookup(Loan, {
      description: 'Returns a loan. A loan is a facility that is repaid in installments.',
      scope: 'lending:read',
      async find(context, id) {
        const facility = await loadFacility(context, id)
        if (facility && isAmortizing(facility)) return loanOut(facility)
        throw new Problem('LOAN_NOT_FOUND', { resourceId: id })
      },
    }),
  },
  mutations: {
    openFacility: operation({
      description:
        'Opens a facility for a customer, together with its ledger account. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      isForBankOnly: true,
      returns: Facility,
      args: { input: object(OpenFacilityInput, 'The facility to open.') },
      resolve(context, { input }) {
        const { limit, minimumDrawdown, disburseAmount, ...request } = input
        return openFacility(context, {
          ...request,
          limit: moneyIn(limit, '/limit'),
          disburseAmount: disburseAmount ? moneyIn(disburseAmount, '/disburseAmount') : null,
          minimumDrawdown: minimumDrawdown ? moneyIn(minimumDrawdown, '/minimumDrawdown') : null,
        })
      },
    }),
    cancelFacility: operation({
      description:
        'Cancels a facility from which nothing has been drawn. Not available to delegated users.',
      scope: 'lending:write',
      returns: Facility,
      args: { facilityId: id('The ID of the facility.') },
      resolve: (context, { facilityId }) => cancelFacility(context, facilityId),
    }),
    changeSettlementAccount: operation({
      description:
        'Changes the account to which a facility pays out and from which it collects ' +
        'installments. The new account must be an open account of the same customer in the same ' +
        'currency. Drawdowns that were requested earlier keep their destination. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      returns: Facility,
      args: {
        input: object(ChangeSettlementAccountInput, 'The facility and its new settlement account.'),
      },
      resolve: (context, { input }) => changeSettlementAccount(context, input),
    }),
  },
})

function moneyIn({ amount, currency }: MoneyInput, pointer: string) {
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}

@Resolver(() => Loan)
export class LoanResolver {
  @FieldResolver(() => Facility, {
    description: 'The loan as a facility. Both are the same record.',
  })
  facility(@Root() loan: FacilityRecord): FacilityRecord {
    return loan
  }
}

@Resolver(() => Customer)
export class CustomerFacilitiesResolver {
  @Requires('lending:read')
  @FieldResolver(() => connectionOf(Facility), {
    nullable: true,
    description: "The customer's facilities in the order in which they were created.",
  })
  facilities(
    @Root() { customerId }: Customer,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<FacilityRecord>> {
    const filter = { customerId, kind: null, state: null, delinquencyBucket: null }
    return readPage(
      context,
      'facilities',
      filter,
      { first, after },
      (from, take) => listFacilities(context, filter, from, take),
      facilitySortKey,
    )
  }
}
