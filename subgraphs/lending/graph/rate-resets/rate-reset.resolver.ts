import { dateOf, type LocalDate } from '../../../../kernel/domain/dates.ts'
import { decimal, id, type Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut } from '../../../../kernel/graph/money.types.ts'
import { operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { DecimalScalar, LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import { previewReset } from '../../commands/rate-resets/rate-reset.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import { nextResetOn, ratePctOn } from '../../domain/rate-resets/rate-reset.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import { ReferenceRateStub } from '../../model/facilities/references.ts'
import { FloatingRate, RateReset, RateResetPreview } from '../../model/rate-resets/rate-reset.ts'
import { listResets } from '../../store/rate-resets/rate-reset.ts'
import { figuresOut } from '../facilities/facility-out.ts'

export const RateResetOperations = resolverOf({
  queries: {
    rateResetPreview: operation({
      description:
        'Returns what the next reset of a facility would change if the reference rate were fixed at a ' +
        'given value. Nothing is stored.',
      scope: 'lending:read',
      returns: RateResetPreview,
      args: {
        facilityId: id('The ID of the facility. Its rate must follow a reference rate.'),
        fixingPct: decimal('The assumed reference rate, in percent per year, from -100 to 100.'),
      },
      async resolve(context, { facilityId, fixingPct }) {
        const { reset, effect, currency } = await previewReset(context, facilityId, fixingPct)
        const { additionalInterestMinor: amountMinor } = effect
        return {
          ...reset,
          before: figuresOut(effect.before, currency),
          after: figuresOut(effect.after, currency),
          additionalInterest: moneyOut({ amountMinor, currency }),
        }
      },
    }),
  },
})

@Resolver(() => FloatingRate)
export class FloatingRateResolver {
  @FieldResolver(() => ReferenceRateStub, {
    nullable: true,
    description: 'The reference rate.',
  })
  referenceRate(@Root() { referenceRateId }: { referenceRateId: string }): ReferenceRateStub {
    return { referenceRateId }
  }
}

const maxResets = 50

/** Returns a resolver for the rate resets of a facility, which `Facility` and `Loan` share. */
function rateResetsOf(type: Shape) {
  @Resolver(() => type)
  class RateResetsResolver {
    @FieldResolver(() => DecimalScalar, {
      description: 'The interest rate that applies today, in percent per year.',
    })
    currentRatePct(@Root() { loan }: FacilityRecord, @Ctx() context: Context): string {
      return ratePctOn(loan, dateOf(context.now()))
    }

    @FieldResolver(() => FloatingRate, {
      nullable: true,
      description: 'How the rate follows a reference rate; null if it does not.',
    })
    floatingRate(@Root() facility: FacilityRecord, @Ctx() context: Context): FloatingRate | null {
      if (facility.floatingRate === null) return null
      const resetOn = nextResetOn(facility)
      const isOverdue = resetOn !== null && resetOn < dateOf(context.now())
      return { ...facility.floatingRate, nextResetOn: resetOn, isOverdue }
    }

    @FieldResolver(() => [RateReset], {
      description: 'The resets of the rate, newest first, at most 50.',
    })
    rateResets(
      @Root() { facilityId }: FacilityRecord,
      @Arg('before', () => LocalDateScalar, {
        nullable: true,
        description:
          'Returns only resets before this reset date. To get the next page, pass the reset date of ' +
          'the last reset of the previous page.',
      })
      before: LocalDate | null,
      @Ctx() context: Context,
    ): Promise<RateReset[]> {
      return listResets(context, facilityId, { before: before ?? null, take: maxResets })
    }
  }
  return RateResetsResolver
}

export const FacilityRateResetsResolver = rateResetsOf(Facility)
export const LoanRateResetsResolver = rateResetsOf(Loan)
