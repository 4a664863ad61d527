import { requireFound } from '../../../../kernel/authorization/auth.ts'
import { id, object } from '../../../../kernel/domain/model.ts'
import { lookup, operation, resolverOf } from '../../../../kernel/graph/operations.ts'
import { recordRepayment, reverseRepayment } from '../../commands/repayments/repayment.ts'
import { Facility } from '../../model/facilities/facility.ts'
import { RecordRepaymentInput, Repayment } from '../../model/repayments/repayment.ts'
import { loadRepayment } from '../../store/repayments/repayment.ts'
import { closeFacilityDays } from '../../workers/servicing/end-of-day.ts'
import { repaymentOut } from './repayment-out.ts'

/** Operations on repayments, and the end-of-day run of one facility. */
export const RepaymentOperations = resolverOf({
  queries: {
    repayment: lookup(Repayment, {
      description: 'Returns a repayment.',
      scope: 'lending:read',
      async find(context, id) {
        const found = await loadRepayment(context, id)
        return repaymentOut(requireFound(found, 'REPAYMENT_NOT_FOUND', id))
      },
    }),
  },
  mutations: {
    recordRepayment: operation({
      description:
        'Records a repayment. The part of the repayment beyond the amount due prepays the next ' +
        'installments of a loan. For a revolving limit, that part becomes available to be drawn ' +
        'again.',
      scope: 'lending:write',
      returns: Repayment,
      args: { input: object(RecordRepaymentInput, 'The repayment to record.') },
      resolve: async (context, { input }) => repaymentOut(await recordRepayment(context, input)),
    }),
    reverseRepayment: operation({
      description:
        'Reverses a repayment, for example because the payment bounced. Not available to ' +
        'delegated users.',
      scope: 'lending:write',
      needsPerson: true,
      returns: Repayment,
      args: { repaymentId: id('The ID of the repayment.') },
      resolve: async (context, { repaymentId }) =>
        repaymentOut(await reverseRepayment(context, repaymentId)),
    }),
    closeFacilityDays: operation({
      description:
        'Runs the end of day of one facility for all business dates that have ended. Not ' +
        'available to delegated users.',
      scope: 'lending:write',
      returns: Facility,
      args: { facilityId: id('The ID of the facility.') },
      resolve: (context, { facilityId }) => closeFacilityDays(context, facilityId),
    }),
  },
})
