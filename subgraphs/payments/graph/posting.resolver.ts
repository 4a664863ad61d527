import { Arg, Ctx, ID, Int, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage } from '../../_kernel/graph/connection.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import { createPosting } from '../post.ts'
import { listPostings, loadPosting } from '../store/posting.ts'
import { postOut, recordOut } from './posting-out.ts'
import { CreatePostingInstructionInput } from './posting.inputs.ts'
import { PostingInstruction, PostingInstructionConnection } from './posting.types.ts'

@Resolver(() => PostingInstruction)
export class PostingResolver {
  @Requires('postings:write')
  @Mutation(() => PostingInstruction, {
    description:
      'Posts one instruction, or a batch that happens together or not at all. What breaks a rule is kept as rejected, and refused.',
  })
  async createPostingInstruction(
    @Arg('input', () => CreatePostingInstructionInput) input: CreatePostingInstructionInput,
    @Ctx() context: Context,
  ): Promise<PostingInstruction> {
    return postOut(context, await createPosting(context, input))
  }

  @Requires('postings:read')
  @Query(() => PostingInstruction, { nullable: true, description: 'One posting instruction.' })
  async postingInstruction(
    @Arg('postingInstructionId', () => ID) postingInstructionId: string,
    @Ctx() context: Context,
  ): Promise<PostingInstruction> {
    const found = await loadPosting(context, postingInstructionId)
    if (found) return recordOut(context, found)
    throw new Problem('POSTING_INSTRUCTION_NOT_FOUND', { resourceId: postingInstructionId })
  }

  @Requires('postings:read')
  @Query(() => PostingInstructionConnection, {
    description:
      'Posting instructions of an account, a batch or a chain, in the order of their ids.',
  })
  async postingInstructions(
    @Arg('arrangementId', () => ID, { nullable: true }) arrangementId: string | null,
    @Arg('batchId', () => ID, { nullable: true }) batchId: string | null,
    @Arg('clientTransactionId', () => LabelScalar, { nullable: true })
    clientTransactionId: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
      async (from, take) => {
        const records = await listPostings(context, filter, from?.[0] ?? '', take)
        return records.map((record) => recordOut(context, record))
      },
      ({ postingInstructionId }) => [postingInstructionId],
    )
  }
}
