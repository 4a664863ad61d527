import 'reflect-metadata'
import { requireScope } from '../../kernel/authorization/auth.ts'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './charge-events.ts'
import './events.ts'
import './personal-data.ts'
import { FeeChargeOperations, FeeChargeResolver } from './graph/fee-charge.resolver.ts'
import {
  ArrangementFeesResolver,
  FeeReceivableOperations,
  FeeReceivableResolver,
} from './graph/fee-receivable.resolver.ts'
import { FeeRunItemResolver, FeeRunOperations, FeeRunResolver } from './graph/fee-run.resolver.ts'
import { AccountArrangementStub, PostingInstructionStub } from './model/references.ts'
import { findVisibleCharge } from './store/fee-charge.ts'
import { loadReceivable } from './store/fee-receivable.ts'
import { loadRun } from './store/fee-run.ts'
import { chargeEventFees } from './workers/charge-event-fees.ts'
import { collectFees } from './workers/collect-fees.ts'
import { runFees } from './workers/run-fees.ts'
import { scheduleFeeRuns } from './workers/schedule-fee-runs.ts'

/** The fees subgraph: the runs that charge fees, and the fees that remain outstanding. */
export const fees: Subgraph = {
  name: 'fees',
  resolvers: [
    FeeRunOperations,
    FeeRunResolver,
    FeeRunItemResolver,
    FeeReceivableOperations,
    FeeReceivableResolver,
    ArrangementFeesResolver,
    FeeChargeOperations,
    FeeChargeResolver,
  ],
  types: [AccountArrangementStub, PostingInstructionStub],
  references: {
    FeeRun: referenceTo('fees:read', 'feeRunId', loadRun),
    async FeeReceivable({ feeReceivableId }: { feeReceivableId: string }, context) {
      requireScope(context.caller, 'accounts:read')
      return loadReceivable(context, feeReceivableId)
    },
    async FeeCharge({ feeChargeId }: { feeChargeId: string }, context) {
      requireScope(context.caller, 'accounts:read')
      return findVisibleCharge(context, feeChargeId)
    },
    AccountArrangement: referenceByKey('arrangementId'),
  },
  workers: [scheduleFeeRuns, runFees, collectFees, chargeEventFees],
}
