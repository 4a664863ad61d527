import { Arg, Ctx, FieldResolver, Int, Resolver, Root, type ClassType } from 'type-graphql'
import type { Context } from '../../_kernel/context.ts'
import type { Facility as Domain } from '../domain/facility.ts'
import { listVersions } from '../store/schedule-version.ts'
import { versionOut } from './facility-out.ts'
import { ScheduleVersion } from './facility-schedule.types.ts'
import { Facility, Loan } from './facility.types.ts'
import {
  AccountArrangementStub,
  Customer,
  LoanApplicationStub,
  ProductStub,
} from './stubs.types.ts'

/** What a facility leads to, under either of its names. */
function relationsOf(type: ClassType<object>) {
  @Resolver(() => type)
  class RelationsResolver {
    @FieldResolver(() => Customer, { nullable: true })
    customer(@Root() { customerId }: Domain): Customer {
      return { customerId }
    }

    @FieldResolver(() => ProductStub, { nullable: true })
    product(@Root() { productId, productVersion }: Domain): ProductStub | null {
      return productId && productVersion ? { productId, version: productVersion } : null
    }

    @FieldResolver(() => LoanApplicationStub, {
      nullable: true,
      description: 'What it came from; null when it was opened without one.',
    })
    application(@Root() { applicationId }: Domain): LoanApplicationStub | null {
      return applicationId === null ? null : { applicationId }
    }

    @FieldResolver(() => AccountArrangementStub, {
      nullable: true,
      description: 'Where money is paid to and instalments are collected from.',
    })
    settlementArrangement(@Root() facility: Domain): AccountArrangementStub | null {
      const arrangementId = facility.settlementArrangementId
      return arrangementId === null ? null : { arrangementId }
    }

    @FieldResolver(() => [ScheduleVersion], {
      description: 'Schedules, the newest first, from the one before `before`; at most 50.',
    })
    async scheduleVersions(
      @Root() facility: Domain,
      @Arg('before', () => Int, { nullable: true }) before: number | null,
      @Ctx() context: Context,
    ): Promise<ScheduleVersion[]> {
      const kept = await listVersions(context, facility, before ?? null, mostVersions)
      return kept.map(versionOut)
    }
  }
  return RelationsResolver
}

const mostVersions = 50

export const FacilityRelationsResolver = relationsOf(Facility)
export const LoanRelationsResolver = relationsOf(Loan)
