import { requireFound } from '../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../kernel/domain/model.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { createPosting } from '../commands/posting.ts'
import { CreatePostingInstructionInput } from '../model/posting-inputs.ts'
import { PostingInstruction } from '../model/posting.ts'
import { listPostings, loadPosting } from '../store/posting.ts'
import { postOut, recordOut } from './posting-out.ts'

export const PostingOperations = resolverOf({
  queries: {
    postingInstruction: lookup(PostingInstruction, {
      description: 'Returns a posting instruction.',
      scope: 'postings:read',
      async find(context, id) {
        const found = await loadPosting(context, id)
        return recordOut(context, requireFound(found, 'POSTING_INSTRUCTION_NOT_FOUND', id))
      },
    }),
    postingInstructions: listing(PostingInstruction, {
      description: 'Lists posting instructions in the order of their IDs.',
      scope: 'postings:read',
      filters: {
        arrangementId: id('Returns only instructions with entries on this account.').orNull(),
        batchId: id('Returns only instructions of this batch.').orNull(),
        clientTransactionId: label(
          'Returns only instructions with this client transaction ID.',
        ).orNull(),
      },
      async list(context, filter, after, take) {
        const records = await listPostings(context, filter, after?.[0] ?? '', take)
        return records.map((record) => recordOut(context, record))
      },
      sortKey: ({ postingInstructionId }) => [postingInstructionId],
    }),
  },
  mutations: {
    createPostingInstruction: operation({
      description:
        'Posts an instruction or a batch of instructions. A batch is posted completely or not at ' +
        'all. If an instruction violates a rule, the mutation fails, and the instruction is stored ' +
        'with the status `REJECTED`. Delegated users can post only transfers.',
      scope: 'postings:write',
      returns: PostingInstruction,
      args: { input: object(CreatePostingInstructionInput, 'The instruction or batch to post.') },
      resolve: async (context, { input }) => postOut(context, await createPosting(context, input)),
    }),
  },
})
