import { command } from '../../../kernel/writing/command.ts'
import { openLedgerAccount } from '../../../ledger/book.ts'
import { startPlatform } from './platform.ts'
import { contextOf, work, type WorkRequest } from './transfers.ts'

// The platform as it ships, with accounts to post on; it also posts from inside when it is told to.
const { bank, token } = await startPlatform()
const accounts = 1000

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
  await command(contextOf(bank), 'open', null, async () => ({ result: null, writes: opening }))
}

process.on(
  'message',
  (request: WorkRequest) => void work(bank, request).then((figure) => process.send!(figure)),
)
process.send!({ token })
