import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'

/**
 * The caller with whose permissions a tool runs, and the ID of the tool call, from which the
 * idempotency key is derived.
 */
export interface Acting {
  caller: Caller
  toolCallId: string
}

/** The validated arguments of a tool. */
export type Args = Readonly<Record<string, string>>
export type ToolImplementation = (bank: Bank, acting: Acting, args: Args) => Promise<object>

/**
 * Derives the ID of a new record from the ID of the tool call, so that a retry creates no second
 * record.
 */
export function idOf(prefix: string, toolCallId: string): string {
  return `${prefix}_${toolCallId.replace(/^[a-z]+_/, '')}`
}
