import { createContext, type Context } from '../../../kernel/environment/context.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { openLedgerAccount } from '../../../ledger/book.ts'
import { command } from '../../../kernel/writing/command.ts'
import { aCaller, type Answer, type TestBank } from '../../kit/subgraph.ts'

export const fields = `postingInstructionId batchId type status clientTransactionId bookedAt valueDate reversesId
  entries { entryId account side amount currency phase sequence balanceAfter }
  balances { arrangementId currency committed pendingIn pendingOut available version }`

export const create = `mutation ($input: CreatePostingInstructionInput!) {
  createPostingInstruction(input: $input) { ${fields} instructions { ${fields} } } }`

export function contextOf(bank: Pick<TestBank, 'bank'>, caller: Caller = aCaller()): Context {
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

/** A customer account that exists in the ledger only; its owner is the party of the same name. */
export async function anAccount(bank: Pick<TestBank, 'bank'>, id: string, guard: Guard = {}) {
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

/** Posts through the graph, each time under a new idempotency key unless the test passes one. */
export function post(bank: TestBank, input: object, options: object = {}): Promise<Answer> {
  return bank.execute(create, { input }, { idempotencyKey: `key-${++serial}`, ...options })
}

export const eur = (amount: string) => ({ amount, currency: 'EUR' })

export const pay = (arrangementId: string, amount: string) => ({
  arrangementId,
  direction: 'IN',
  amount: eur(amount),
})
