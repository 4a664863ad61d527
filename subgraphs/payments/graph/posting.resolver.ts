import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage } from '../../../kernel/graph/connection.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { createPosting } from '../commands/posting.ts'
import { listPostings, loadPosting } from '../store/posting.ts'
import { postOut, recordOut } from './posting-out.ts'
import { CreatePostingInstructionInput } from '../model/posting-inputs.ts'
import { PostingInstruction, PostingInstructionConnection } from '../model/posting.ts'

@Resolver(() => PostingInstruction)
export class PostingResolver {
  @Requires('postings:write')
  @Mutation(() => PostingInstruction, {
    description:
      'Posts an instruction or a batch of instructions. A batch is posted completely or not at ' +
      'all. If an instruction violates a rule, the mutation fails, and the instruction is stored ' +
      'with the status `REJECTED`. Delegated users can post only transfers.',
  })
  async createPostingInstruction(
    @Arg('input', () => CreatePostingInstructionInput, {
      description: 'The instruction or batch to post.',
    })
    input: CreatePostingInstructionInput,
    @Ctx() context: Context,
  ): Promise<PostingInstruction> {
    return postOut(context, await createPosting(context, input))
  }

  @Requires('postings:read')
  @Query(() => PostingInstruction, {
    nullable: true,
    description: 'Returns a posting instruction.',
  })
  async postingInstruction(
    @Arg('postingInstructionId', () => ID, { description: 'The ID of the posting instruction.' })
    postingInstructionId: string,
    @Ctx() context: Context,
  ): Promise<PostingInstruction> {
    const found = await loadPosting(context, postingInstructionId)
    if (found) return recordOut(context, found)
    throw new Problem('POSTING_INSTRUCTION_NOT_FOUND', { resourceId: postingInstructionId })
  }

  @Requires('postings:read')
  @Query(() => PostingInstructionConnection, {
    description: 'Lists posting instructions in the order of their IDs.',
  })
  async postingInstructions(
    @Arg('arrangementId', () => ID, {
      nullable: true,
      description: 'Returns only instructions with entries on this account.',
    })
    arrangementId: string | null,
    @Arg('batchId', () => ID, {
      nullable: true,
      description: 'Returns only instructions of this batch.',
    })
    batchId: string | null,
    @Arg('clientTransactionId', () => LabelScalar, {
      nullable: true,
      description: 'Returns only instructions with this client transaction ID.',
    })
    clientTransactionId: string | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ) {
    const filter = {
      arrangementId: arrangementId ?? null,
      batchId: batchId ?? null,
      clientTransactionId: clientTransactionId ?? null,
    }
    return readPage(
      context,
      'postingInstructions',
      filter,
      { first, after },
      async (cursor, take) => {
        const records = await listPostings(context, filter, cursor?.[0] ?? '', take)
        return records.map((record) => recordOut(context, record))
      },
      ({ postingInstructionId }) => [postingInstructionId],
    )
  }
}
