import 'reflect-metadata'
import { requireScope } from '../_kernel/auth.ts'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { LedgerResolver } from './graph/ledger.resolver.ts'
import { recordOut } from './graph/posting-out.ts'
import { PostingResolver } from './graph/posting.resolver.ts'
import { loadPosting } from './store.ts'
import { checkBooks, expireAuthorisations, foldDeferred, sealJournal } from './workers.ts'

/** Payments and liquidity. The books themselves are the ledger's; here is what moves money in them. */
export const payments: Subgraph = {
  name: 'payments',
  resolvers: [PostingResolver, LedgerResolver],
  types: [],
  references: {
    async PostingInstruction({ postingInstructionId }: { postingInstructionId: string }, context) {
      requireScope(context.caller, 'postings:read')
      const record = await loadPosting(context, postingInstructionId)
      return record && recordOut(context, record)
    },
  },
  workers: [expireAuthorisations, foldDeferred, sealJournal, checkBooks],
}
