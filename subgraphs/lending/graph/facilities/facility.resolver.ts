import { FacilityKind, FacilityState } from '../../model/facilities/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../../kernel/graph/decorators.ts'
import { requireBank, Requires } from '../../../../kernel/authorization/auth.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { parseAmount } from '../../../../kernel/domain/money.ts'
import { Problem } from '../../domain/problems.ts'
import {
  AfterArg,
  FirstArg,
  readPage,
  type Page,
  type PageRequest,
} from '../../../../kernel/graph/connection.ts'
import type { MoneyInput } from '../../../../kernel/graph/money.types.ts'
import { isAmortizing, type Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { changeSettlementAccount } from '../../commands/facilities/change-settlement-account.ts'
import { cancelFacility } from '../../commands/losses/loss.ts'
import { openFacility } from '../../commands/facilities/open-facility.ts'
import {
  facilitySortKey,
  listFacilities,
  loadFacility,
  type FacilityFilter,
} from '../../store/facilities/facility.ts'
import { loanOut } from './facility-out.ts'
import {
  ChangeSettlementAccountInput,
  OpenFacilityInput,
} from '../../model/facilities/facility-inputs.ts'
import { Facility, FacilityConnection, Loan } from '../../model/facilities/facility.ts'
import { Customer } from '../../model/facilities/references.ts'

@Resolver(() => Facility)
export class FacilityResolver {
  @Requires('lending:read')
  @Query(() => Facility, { nullable: true, description: 'Returns a facility.' })
  async facility(
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    const facility = await loadFacility(context, facilityId)
    if (facility) return facility
    throw new Problem('FACILITY_NOT_FOUND', { resourceId: facilityId })
  }

  @Requires('lending:read')
  @Query(() => FacilityConnection, {
    description: 'Lists facilities in the order in which they were created.',
  })
  facilities(
    @Arg('customerId', () => ID, {
      nullable: true,
      description: 'Returns only facilities of this customer.',
    })
    customerId: string | null,
    @Arg('kind', () => FacilityKind, {
      nullable: true,
      description: 'Returns only facilities of this kind.',
    })
    kind: FacilityKind | null,
    @Arg('state', () => FacilityState, {
      nullable: true,
      description: 'Returns only facilities in this state.',
    })
    state: FacilityState | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<FacilityRecord>> {
    return facilityPage(context, { customerId, kind, state }, { first, after })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Opens a facility for a customer, together with its ledger account. Not available to ' +
      'delegated users.',
  })
  openFacility(
    @Arg('input', () => OpenFacilityInput, { description: 'The facility to open.' })
    input: OpenFacilityInput,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    requireBank(context)
    const { limit, minimumDrawdown, disburseAmount, ...request } = input
    return openFacility(context, {
      ...request,
      limit: moneyIn(limit, '/limit'),
      disburseAmount: disburseAmount ? moneyIn(disburseAmount, '/disburseAmount') : null,
      minimumDrawdown: minimumDrawdown ? moneyIn(minimumDrawdown, '/minimumDrawdown') : null,
    })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Cancels a facility from which nothing has been drawn. Not available to delegated users.',
  })
  cancelFacility(
    @Arg('facilityId', () => ID, { description: 'The ID of the facility.' }) facilityId: string,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return cancelFacility(context, facilityId)
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Changes the account to which a facility pays out and from which it collects installments. ' +
      'The new account must be an open account of the same customer in the same currency. ' +
      'Drawdowns that were requested earlier keep their destination. Not available to delegated ' +
      'users.',
  })
  changeSettlementAccount(
    @Arg('input', () => ChangeSettlementAccountInput, {
      description: 'The facility and its new settlement account.',
    })
    input: ChangeSettlementAccountInput,
    @Ctx() context: Context,
  ): Promise<FacilityRecord> {
    return changeSettlementAccount(context, input)
  }
}

function moneyIn({ amount, currency }: MoneyInput, pointer: string) {
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}

@Resolver(() => Loan)
export class LoanResolver {
  @Requires('lending:read')
  @Query(() => Loan, {
    nullable: true,
    description: 'Returns a loan. A loan is a facility that is repaid in installments.',
  })
  async loan(
    @Arg('loanId', () => ID, { description: 'The ID of the loan.' }) loanId: string,
    @Ctx() context: Context,
  ): Promise<Loan> {
    const facility = await loadFacility(context, loanId)
    if (facility && isAmortizing(facility)) return loanOut(facility)
    throw new Problem('LOAN_NOT_FOUND', { resourceId: loanId })
  }

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
  @FieldResolver(() => FacilityConnection, {
    nullable: true,
    description: "The customer's facilities in the order in which they were created.",
  })
  facilities(
    @Root() { customerId }: Customer,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<FacilityRecord>> {
    return facilityPage(context, { customerId }, { first, after })
  }
}

function facilityPage(
  context: Context,
  request: Partial<FacilityFilter>,
  page: PageRequest,
): Promise<Page<FacilityRecord>> {
  const filter: FacilityFilter = {
    customerId: request.customerId ?? null,
    kind: request.kind ?? null,
    state: request.state ?? null,
  }
  return readPage(
    context,
    'facilities',
    { ...filter },
    page,
    (after, take) => listFacilities(context, filter, after, take),
    facilitySortKey,
  )
}
