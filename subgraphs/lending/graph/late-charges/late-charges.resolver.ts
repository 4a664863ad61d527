import type { Shape } from '../../../../kernel/domain/model.ts'
import { id, object } from '../../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import { moneyOut, MoneyType } from '../../../../kernel/graph/money.types.ts'
import { operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import {
  endFacilityLateChargePause,
  pauseFacilityLateCharges,
} from '../../commands/late-charges/pause-late-charges.ts'
import { waiveFacilityLateCharges } from '../../commands/late-charges/waive-late-charges.ts'
import type { Facility as FacilityRecord } from '../../domain/facilities/facility.ts'
import type { LateChargeTerms as Terms } from '../../domain/late-charges/terms.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'
import {
  LateChargePause,
  LateChargeTerms,
  PauseLateChargesInput,
  WaiveLateChargesInput,
} from '../../model/late-charges/late-charges.ts'

/** Operations on late charges. */
export const LateChargeOperations = resolverOf({
  mutations: {
    waiveLateCharges: operation({
      description:
        'Waives the unpaid late fee and default interest of an installment. Default interest ' +
        'continues to accrue while the installment is overdue. Not available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Facility,
      args: { input: object(WaiveLateChargesInput, 'The charges to waive.') },
      resolve: (context, { input }) => waiveFacilityLateCharges(context, input),
    }),
    pauseLateCharges: operation({
      description:
        'Pauses the late charges of a facility for a period. Its days count neither for default ' +
        'interest nor for the days of grace; what was charged before stays due. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Facility,
      args: { input: object(PauseLateChargesInput, 'The period.') },
      resolve: (context, { input }) => pauseFacilityLateCharges(context, input),
    }),
    endLateChargePause: operation({
      description:
        'Ends the pause of the late charges of a facility: from today on, they apply again. Not ' +
        'available to delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Facility,
      args: { facilityId: id('The ID of the facility.') },
      resolve: (context, { facilityId }) => endFacilityLateChargePause(context, facilityId),
    }),
  },
})

/** Returns a resolver for the late charges of a facility, which `Facility` and `Loan` share. */
function lateChargesOf(type: Shape) {
  @Resolver(() => type)
  class LateChargesResolver {
    @FieldResolver(() => LateChargeTerms, {
      nullable: true,
      description: 'What late payment costs; null if it costs nothing.',
    })
    lateCharges(@Root() { lateCharges }: FacilityRecord): LateChargeTerms | null {
      return lateCharges && termsOut(lateCharges)
    }

    @FieldResolver(() => [LateChargePause], {
      description: 'The periods without late charges, the oldest first.',
    })
    lateChargePauses(@Root() { lateChargePauses }: FacilityRecord): readonly LateChargePause[] {
      return lateChargePauses
    }

    @FieldResolver(() => MoneyType, { description: 'The unpaid fees for late installments.' })
    lateFeesDue(@Root() { feesDueMinor, currency }: FacilityRecord): MoneyType {
      return moneyOut({ amountMinor: feesDueMinor, currency })
    }

    @FieldResolver(() => MoneyType, { description: 'The unpaid default interest.' })
    defaultInterestDue(@Root() { penaltiesDueMinor, currency }: FacilityRecord): MoneyType {
      return moneyOut({ amountMinor: penaltiesDueMinor, currency })
    }
  }
  return LateChargesResolver
}

function termsOut({ fee, ...terms }: Terms): LateChargeTerms {
  const { amount = null, percent = null, minimum = null, maximum = null } = fee ?? {}
  return {
    ...terms,
    maximumPct: terms.maximumPct ?? null,
    fee: fee && {
      amount: amount && moneyOut(amount),
      percent,
      minimum: minimum && moneyOut(minimum),
      maximum: maximum && moneyOut(maximum),
    },
  }
}

export const FacilityLateChargesResolver = lateChargesOf(Facility)
export const LoanLateChargesResolver = lateChargesOf(Loan)
