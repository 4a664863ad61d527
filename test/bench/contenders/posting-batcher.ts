import { command } from '../../../kernel/writing/command.ts'
import { bankCaller } from '../../../kernel/authorization/auth.ts'
import { createContext, type Context } from '../../../kernel/environment/context.ts'
import { openLedgerAccount } from '../../../ledger/book.ts'
import { noNarrative, termsAt, type Posting } from '../../../ledger/journal.ts'
import { post } from '../../../ledger/post.ts'
import { startPlatform } from './platform.ts'

// The platform as it ships, with accounts to post on; it also posts from inside when it is told to.
const { bank, token } = await startPlatform()
const accounts = 1000
let serial = 0

function contextOf(idempotencyKey?: string): Context {
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

const writes = Array.from({ length: accounts }, (_, at) => `arr_${at}`).map((accountId) =>
  openLedgerAccount({
    accountId,
    code: 'customer',
    arrangementId: accountId,
    partyId: `pty_${accountId}`,
    type: 'liability',
    currency: 'EUR',
    policy: 'guarded',
    overdraftLimitMinor: 1_000_000_000n,
  }),
)
for (const opening of writes) {
  await command(contextOf(), 'open', null, async () => ({ result: null, writes: opening }))
}

function transfer(among: number): Posting {
  const debtor = Math.floor(Math.random() * among)
  const creditor = (debtor + 1 + Math.floor(Math.random() * (among - 1))) % among
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

interface WorkRequest {
  accounts: number
  inFlight: number
  seconds: number
}

async function work({ accounts: among, inFlight, seconds }: WorkRequest): Promise<number> {
  const until = Date.now() + seconds * 1000
  let done = 0
  const client = async () => {
    for (; Date.now() < until; done++) {
      const context = contextOf(`inside-${process.pid}-${++serial}`)
      const posting = transfer(among)
      const { records } = await post(context, 'createPostingInstruction', posting, [posting])
      if (records[0]!.status !== 'accepted') throw new Error('A posting was rejected.')
    }
  }
  await Promise.all(Array.from({ length: inFlight }, client))
  return done / seconds
}

process.on(
  'message',
  (request: WorkRequest) => void work(request).then((figure) => process.send!(figure)),
)
process.send!({ token })
