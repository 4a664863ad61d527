import { bankCaller } from '../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { createContext, type Context } from '../../../kernel/environment/context.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { post } from '../../../ledger/post.ts'
import { draw } from '../zipf.ts'

/** The message that starts a turn of a contender that posts from inside. */
export interface WorkRequest {
  accounts: number
  inFlight: number
  seconds: number
  /** The exponent of the Zipf distribution of the accounts; 0 if all are equally frequent. */
  skew?: number
}

let serial = 0

export function contextOf(bank: Bank, idempotencyKey?: string): Context {
  return createContext(
    bank,
    { ...bankCaller, clientId: 'bench' },
    {
      authorization: undefined,
      requestId: 'bench',
      traceparent: undefined,
      idempotencyKey,
      deadlineMs: Number.MAX_SAFE_INTEGER,
    },
  )
}

/** Posts transfers from inside the process. Returns how many were accepted in a second. */
export async function work(
  bank: Bank,
  { accounts, inFlight, seconds, skew = 0 }: WorkRequest,
): Promise<number> {
  const until = Date.now() + seconds * 1000
  const next = draw(accounts, skew)
  let done = 0
  const client = async () => {
    for (; Date.now() < until; done++) {
      const context = contextOf(bank, `inside-${process.pid}-${++serial}`)
      const posting = transfer(next)
      const { records } = await post(context, 'createPostingInstruction', posting, [posting])
      if (records[0]!.status !== 'accepted') throw new Error('A posting was rejected.')
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return done / seconds
}

function transfer(next: () => number): Posting {
  const debtor = next()
  let creditor = next()
  while (creditor === debtor) creditor = next()
  return {
    instruction: {
      ...termsAt(new Date()),
      type: 'transfer',
      debtorId: `arr_${debtor}`,
      creditorId: `arr_${creditor}`,
      money: { amountMinor: 100n, currency: 'EUR' },
      creditorMoney: null,
    },
    narrative: noNarrative,
  }
}
