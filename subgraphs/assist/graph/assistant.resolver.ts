import { Arg, Ctx, ID, Mutation, Query, Resolver } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import type { AssistantStatus } from '../domain/assistant-version.ts'
import { draftAssistant, publishAssistant, retireAssistant } from '../registry.ts'
import { listVersions } from '../store/assistant-version.ts'
import {
  AssistantStatusEnum,
  AssistantVersion,
  DraftAssistantVersionInput,
} from './assistant.types.ts'

const mostVersions = 200

/** What assistants there are. */
@Resolver()
export class AssistantResolver {
  @Requires('operations:read')
  @Query(() => [AssistantVersion], {
    description: 'The versions of assistants, by type and the newest first; at most 200.',
  })
  assistantVersions(
    @Arg('assistantType', () => LabelScalar, { nullable: true }) assistantType: string | null,
    @Arg('status', () => AssistantStatusEnum, { nullable: true }) status: AssistantStatus | null,
    @Ctx() context: Context,
  ): Promise<AssistantVersion[]> {
    const where = { ...(assistantType && { assistantType }), ...(status && { status }) }
    return listVersions(context, where, mostVersions)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, { description: 'Drafts the next version of an assistant.' })
  draftAssistantVersion(
    @Arg('input', () => DraftAssistantVersionInput) input: DraftAssistantVersionInput,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return draftAssistant(context, input)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, {
    description:
      'Puts a version to work, as another person than who drafted it. Open sessions stay with theirs.',
  })
  publishAssistantVersion(
    @Arg('assistantVersionId', () => ID) assistantVersionId: string,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return publishAssistant(context, assistantVersionId)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, {
    description: 'Takes a version out of use: no session opens with it.',
  })
  retireAssistantVersion(
    @Arg('assistantVersionId', () => ID) assistantVersionId: string,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return retireAssistant(context, assistantVersionId)
  }
}
