import {
  Arg,
  Ctx,
  FieldResolver,
  Int,
  Resolver,
  Root,
} from '../../../../kernel/graph/decorators.ts'
import type { Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { listVersions } from '../../store/schedules/schedule-version.ts'
import { versionOut } from './facility-out.ts'
import { ScheduleVersion } from '../../model/schedules/facility-schedule.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import {
  AccountArrangementStub,
  Customer,
  LoanApplicationStub,
  ProductStub,
} from '../../model/facilities/references.ts'

/**
 * Returns a resolver for the records that a facility references. `Facility` and `Loan` share these
 * fields.
 */
function relationsOf(type: Shape) {
  @Resolver(() => type)
  class RelationsResolver {
    @FieldResolver(() => Customer, { nullable: true, description: 'The customer who borrows.' })
    customer(@Root() { customerId }: FacilityRecord): Customer {
      return { customerId }
    }

    @FieldResolver(() => ProductStub, {
      nullable: true,
      description:
        'The version of the product under which the facility was opened; null if it was opened ' +
        'without one.',
    })
    product(@Root() { productId, productVersion }: FacilityRecord): ProductStub | null {
      return productId && productVersion ? { productId, version: productVersion } : null
    }

    @FieldResolver(() => LoanApplicationStub, {
      nullable: true,
      description:
        'The loan application from which the facility was opened; null if it was opened without ' +
        'one.',
    })
    application(@Root() { applicationId }: FacilityRecord): LoanApplicationStub | null {
      return applicationId === null ? null : { applicationId }
    }

    @FieldResolver(() => AccountArrangementStub, {
      nullable: true,
      description:
        'The account that receives payouts and from which installments are collected; null if ' +
        'there is none.',
    })
    settlementArrangement(@Root() facility: FacilityRecord): AccountArrangementStub | null {
      const arrangementId = facility.settlementArrangementId
      return arrangementId === null ? null : { arrangementId }
    }

    @FieldResolver(() => [ScheduleVersion], {
      description: 'The schedule versions, newest first, at most 50.',
    })
    async scheduleVersions(
      @Root() facility: FacilityRecord,
      @Arg('before', () => Int, {
        nullable: true,
        description:
          'Returns only versions with lower numbers than this one. To get the next page, pass ' +
          'the number of the last version of the previous page.',
      })
      before: number | null,
      @Ctx() context: Context,
    ): Promise<ScheduleVersion[]> {
      const versions = await listVersions(context, facility, before ?? null, maxVersions)
      return versions.map(versionOut)
    }
  }
  return RelationsResolver
}

const maxVersions = 50

export const FacilityRelationsResolver = relationsOf(Facility)
export const LoanRelationsResolver = relationsOf(Loan)
