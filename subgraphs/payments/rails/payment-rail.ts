import type { Context } from '../../../kernel/environment/context.ts'
import type { Worker } from '../../../kernel/work/worker.ts'
import type { Payment } from '../domain/payment.ts'
import type { Rail } from '../domain/rail.ts'
import type { BatchRail, RailBatch } from '../domain/rail-batch.ts'

/** A payment rail: its rules, and the workers that process its payments. */
export interface PaymentRail extends Rail {
  /** Returns the workers of the rail, which change payments and batches only through `commands`. */
  workers(commands: RailCommands): readonly Worker[]
}

/**
 * The commands and queries that a rail's workers can call. Of two concurrent calls of a command,
 * only one has an effect. Commands return the number of records that they processed.
 */
export interface RailCommands {
  /** Returns the SQL condition that there is work for the worker of a rail, for its `isDueSql`. */
  isDueSql(rail: Rail): string
  /** Whether the environment has the rail. */
  isAvailable(context: Context, rail: Rail): boolean
  /** Cancels accepted payments past their cut-off, with the reason code RAIL_NOT_CONFIGURED. */
  cancelUnsent(context: Context, rail: Rail): Promise<number>
  /** Sends the accepted payments of the earliest cut-off that has passed as one batch. */
  sendBatch(context: Context, rail: BatchRail): Promise<number>
  /** Returns the batches whose next state transition is due, oldest first. */
  findDueBatches(context: Context, rail: Rail): Promise<RailBatch[]>
  /** Acknowledges or settles a batch. Has no effect if the batch has another state by now. */
  advanceBatch(context: Context, rail: BatchRail, batch: RailBatch): Promise<number>
  /** Returns the settled payments whose return is due, oldest first. */
  findDueReturns(context: Context, rail: Rail): Promise<Payment[]>
  /** Returns a settled payment to the debtor, with the reason code of the creditor's bank. */
  returnPayment(
    context: Context,
    rail: Rail,
    paymentId: string,
    reasonCode: string,
  ): Promise<number>
}
