import type { Bank } from '../../_kernel/bank.ts'
import type { Caller } from '../../_kernel/caller.ts'

/** The caller as whom a tool runs, and the tool call id, which is the idempotency key of an act. */
export interface Acting {
  caller: Caller
  toolCallId: string
}

/** The validated arguments of a tool. */
export type Args = Readonly<Record<string, string>>
export type Run = (bank: Bank, acting: Acting, args: Args) => Promise<object>

/**
 * Derives the id of a created record from the tool call, so that a retry creates the same record.
 */
export function idOf(prefix: string, toolCallId: string): string {
  return `${prefix}_${toolCallId.replace(/^[a-z]+_/, '')}`
}
