import { createContext, type Context } from '../../../subgraphs/_kernel/context.ts'
import type { Caller } from '../../../subgraphs/_kernel/caller.ts'
import { openLedgerAccount } from '../../../subgraphs/_ledger/book.ts'
import { command } from '../../../subgraphs/_kernel/command.ts'
import { aCaller, type Answer, type Desk } from '../../kit/subgraph.ts'

export const fields = `postingInstructionId batchId type status clientTransactionId bookedAt valueDate reversesId
  entries { entryId account side amount currency phase sequence balanceAfter }
  balances { arrangementId currency committed pendingIn pendingOut available version }`

export const create = `mutation ($input: CreatePostingInstructionInput!) {
  createPostingInstruction(input: $input) { ${fields} instructions { ${fields} } } }`

export function contextOf(bank: Pick<Desk, 'bank'>, caller: Caller = aCaller()): Context {
  return createContext(bank.bank, caller, {
    authorization: undefined,
    requestId: 'test-request',
    traceparent: undefined,
    idempotencyKey: undefined,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  })
}

interface Guard {
  currency?: string
  overdraftLimitMinor?: bigint
  blockedFor?: 'debit' | 'credit' | 'all'
}

/** A customer's account in the ledger alone; its owner is the party of the same name. */
export async function anAccount(bank: Pick<Desk, 'bank'>, id: string, guard: Guard = {}) {
  const writes = openLedgerAccount({
    accountId: id,
    code: 'customer',
    arrangementId: id,
    partyId: id.replace('arr_', 'pty_'),
    type: 'liability',
    currency: 'EUR',
    policy: 'guarded',
    ...guard,
  })
  await command(contextOf(bank), 'openAccount', { id }, async () => ({ result: null, writes }))
}

let serial = 0

/** Posts through the graph, each with a key of its own unless the test gives one. */
export function post(bank: Desk, input: object, options: object = {}): Promise<Answer> {
  return bank.execute(create, { input }, { idempotencyKey: `key-${++serial}`, ...options })
}

export const eur = (amount: string) => ({ amount, currency: 'EUR' })

export const pay = (arrangementId: string, amount: string) => ({
  arrangementId,
  direction: 'IN',
  amount: eur(amount),
})
