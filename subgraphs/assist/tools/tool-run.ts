import type { Bank } from '../../_kernel/bank.ts'
import type { Caller } from '../../_kernel/caller.ts'

/** Under whose rights a tool is used, and for an act the key that makes a second try the first. */
export interface Acting {
  caller: Caller
  toolCallId: string
}

/** As the check of the tool's parameters let them pass. */
export type Args = Readonly<Record<string, string>>
export type Run = (bank: Bank, acting: Acting, args: Args) => Promise<object>

/** What a call makes is named for it: the same call makes the same record. */
export function idOf(prefix: string, toolCallId: string): string {
  return `${prefix}_${toolCallId.replace(/^[a-z]+_/, '')}`
}
