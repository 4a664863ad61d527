import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { requireBank, Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { parseAmount } from '../../_kernel/domain/money.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page, type PageAsked } from '../../_kernel/graph/connection.ts'
import type { MoneyInput } from '../../_kernel/graph/money.types.ts'
import {
  isAmortising,
  type Facility as Domain,
  type FacilityKind,
  type FacilityState,
} from '../domain/facility.ts'
import { cancelFacility } from '../losses.ts'
import { openFacility } from '../open-facility.ts'
import {
  facilitySortKey,
  listFacilities,
  loadFacility,
  type FacilityFilter,
} from '../store/facility.ts'
import { loanOut } from './facility-out.ts'
import {
  Facility,
  FacilityConnection,
  FacilityKindEnum,
  FacilityStateEnum,
  Loan,
  OpenFacilityInput,
} from './facility.types.ts'
import { Customer } from './stubs.types.ts'

@Resolver(() => Facility)
export class FacilityResolver {
  @Requires('lending:read')
  @Query(() => Facility, { nullable: true, description: 'One facility.' })
  async facility(
    @Arg('facilityId', () => ID) facilityId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const facility = await loadFacility(context, facilityId)
    if (facility) return facility
    throw new Problem('FACILITY_NOT_FOUND', { resourceId: facilityId })
  }

  @Requires('lending:read')
  @Query(() => FacilityConnection, { description: 'Facilities in the order they were opened.' })
  facilities(
    @Arg('customerId', () => ID, { nullable: true }) customerId: string | null,
    @Arg('kind', () => FacilityKindEnum, { nullable: true }) kind: FacilityKind | null,
    @Arg('state', () => FacilityStateEnum, { nullable: true }) state: FacilityState | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return facilityPage(context, { customerId, kind, state }, { first, after })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description:
      'Opens a facility of a customer, with its account in the ledger; the bank does, not a customer.',
  })
  openFacility(
    @Arg('input', () => OpenFacilityInput) input: OpenFacilityInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    requireBank(context)
    const { limit, minimumDrawdown, disburseAmount, ...asked } = input
    return openFacility(context, {
      ...asked,
      limit: moneyIn(limit, '/limit'),
      disburseAmount: disburseAmount ? moneyIn(disburseAmount, '/disburseAmount') : null,
      minimumDrawdown: minimumDrawdown ? moneyIn(minimumDrawdown, '/minimumDrawdown') : null,
    })
  }

  @Requires('lending:write')
  @Mutation(() => Facility, {
    description: 'Cancels a facility before anything is drawn from it. Not for delegated users.',
  })
  cancelFacility(
    @Arg('facilityId', () => ID, { description: 'The facility.' }) facilityId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return cancelFacility(context, facilityId)
  }
}

function moneyIn({ amount, currency }: MoneyInput, pointer: string) {
  return { amountMinor: parseAmount(amount, currency, `${pointer}/amount`), currency }
}

@Resolver(() => Loan)
export class LoanResolver {
  @Requires('lending:read')
  @Query(() => Loan, { nullable: true, description: 'One loan: a facility with instalments.' })
  async loan(@Arg('loanId', () => ID) loanId: string, @Ctx() context: Context): Promise<Loan> {
    const facility = await loadFacility(context, loanId)
    if (facility && isAmortising(facility)) return loanOut(facility)
    throw new Problem('LOAN_NOT_FOUND', { resourceId: loanId })
  }

  @FieldResolver(() => Facility, { description: 'The same record under its other id.' })
  facility(@Root() loan: Domain): Domain {
    return loan
  }
}

@Resolver(() => Customer)
export class CustomerFacilitiesResolver {
  @Requires('lending:read')
  @FieldResolver(() => FacilityConnection, { nullable: true })
  facilities(
    @Root() { customerId }: Customer,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Domain>> {
    return facilityPage(context, { customerId }, { first, after })
  }
}

function facilityPage(
  context: Context,
  asked: Partial<FacilityFilter>,
  page: PageAsked,
): Promise<Page<Domain>> {
  const filter: FacilityFilter = {
    customerId: asked.customerId ?? null,
    kind: asked.kind ?? null,
    state: asked.state ?? null,
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
