import 'reflect-metadata'
import { referenceByKey, referenceTo } from '../../kernel/graph/references.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import './events.ts'
import './personal-data.ts'
import { CorrectionOperations } from './graph/correction.resolver.ts'
import { ExchangeRateOperations } from './graph/exchange-rate.resolver.ts'
import { LedgerOperations } from './graph/ledger.resolver.ts'
import { paymentOut, PaymentOperations } from './graph/payment.resolver.ts'
import { recordOut } from './graph/posting-out.ts'
import { PostingOperations } from './graph/posting.resolver.ts'
import { loadPosting } from './store/posting.ts'
import { PartyStub } from './model/payment.ts'
import { LiquidityOperations } from './graph/liquidity.resolver.ts'
import { AccountTransactionsResolver, TransactionResolver } from './graph/transaction.resolver.ts'
import { railCommands } from './commands/rail-batch.ts'
import { rails } from './rails/registry.ts'
import { StandingOrderOperations, StandingOrderResolver } from './graph/standing-order.resolver.ts'
import { TrustedPayeeOperations } from './graph/trusted-payee.resolver.ts'
import { executeScheduled } from './workers/payments.ts'
import { expirePendingSignatures } from './workers/signatures.ts'
import { executeStandingOrders } from './workers/standing-orders.ts'
import { loadPayment } from './store/payment.ts'
import { loadStandingOrder } from './store/standing-order.ts'
import { loadTrustedPayee } from './store/strong-authentication.ts'
import {
  checkBooks,
  expireAuthorizations,
  aggregateInternalAccounts,
  totalBookingDays,
  writeCheckpoints,
} from './workers/ledger.ts'

/** The payments subgraph: postings, payments, exchange rates and liquidity. */
export const payments: Subgraph = {
  name: 'payments',
  resolvers: [
    PostingOperations,
    LedgerOperations,
    CorrectionOperations,
    PaymentOperations,
    StandingOrderOperations,
    StandingOrderResolver,
    TrustedPayeeOperations,
    LiquidityOperations,
    ExchangeRateOperations,
    AccountTransactionsResolver,
    TransactionResolver,
  ],
  types: [PartyStub],
  references: {
    PostingInstruction: referenceTo(
      'postings:read',
      'postingInstructionId',
      loadPosting,
      (record, context) => recordOut(context, record),
    ),
    Payment: referenceTo('postings:read', 'paymentId', loadPayment, (payment, context) =>
      paymentOut(context, payment),
    ),
    StandingOrder: referenceTo('postings:read', 'standingOrderId', loadStandingOrder),
    TrustedPayee: referenceTo('postings:read', 'trustedPayeeId', loadTrustedPayee),
    AccountArrangement: referenceByKey('arrangementId'),
    Party: referenceByKey('partyId'),
  },
  workers: [
    executeScheduled,
    expirePendingSignatures,
    executeStandingOrders,
    ...rails.flatMap((rail) => rail.workers(railCommands)),
    expireAuthorizations,
    aggregateInternalAccounts,
    totalBookingDays,
    writeCheckpoints,
    checkBooks,
  ],
}
