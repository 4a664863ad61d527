import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import './events.ts'
import { CorrectionResolver } from './graph/correction.resolver.ts'
import { ExchangeRateResolver } from './graph/exchange-rate.resolver.ts'
import { LedgerResolver } from './graph/ledger.resolver.ts'
import { paymentOut, PaymentResolver } from './graph/payment.resolver.ts'
import { recordOut } from './graph/posting-out.ts'
import { PostingResolver } from './graph/posting.resolver.ts'
import { loadPosting } from './store/posting.ts'
import { LiquidityResolver } from './graph/liquidity.resolver.ts'
import { AccountTransactionsResolver, TransactionResolver } from './graph/transaction.resolver.ts'
import { runSct } from './sct-clockwork.ts'
import { StandingOrderResolver, standingOrderOut } from './graph/standing-order.resolver.ts'
import { executeScheduled } from './payment-workers.ts'
import { executeStandingOrders } from './standing-orders.ts'
import { loadPayment } from './store/payment.ts'
import { loadStandingOrder } from './store/standing-order.ts'
import { checkBooks, expireAuthorisations, foldDeferred, sealJournal } from './workers.ts'

/** Payments and liquidity. The books themselves are the ledger's; here is what moves money in them. */
export const payments: Subgraph = {
  name: 'payments',
  resolvers: [
    PostingResolver,
    LedgerResolver,
    CorrectionResolver,
    PaymentResolver,
    StandingOrderResolver,
    LiquidityResolver,
    ExchangeRateResolver,
    AccountTransactionsResolver,
    TransactionResolver,
  ],
  types: [],
  references: {
    async PostingInstruction({ postingInstructionId }: { postingInstructionId: string }, context) {
      requireScope(context.caller, 'postings:read')
      const record = await loadPosting(context, postingInstructionId)
      return record && recordOut(context, record)
    },
    async Payment({ paymentId }: { paymentId: string }, context) {
      requireScope(context.caller, 'postings:read')
      const payment = await loadPayment(context, paymentId)
      return payment && paymentOut(context, payment)
    },
    async StandingOrder({ standingOrderId }: { standingOrderId: string }, context) {
      requireScope(context.caller, 'postings:read')
      const order = await loadStandingOrder(context, standingOrderId)
      return order && standingOrderOut(order)
    },
    AccountArrangement: ({ arrangementId }: { arrangementId: string }) => ({ arrangementId }),
  },
  workers: [
    executeScheduled,
    executeStandingOrders,
    runSct,
    expireAuthorisations,
    foldDeferred,
    sealJournal,
    checkBooks,
  ],
}
