import { AssistantStatus } from '../model/enumerations.ts'
import { Arg, Ctx, ID, Mutation, Query, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { draftAssistant, publishAssistant, retireAssistant } from '../commands/assistant-version.ts'
import { listVersions } from '../store/assistant-version.ts'
import { AssistantVersion, DraftAssistantVersionInput } from '../model/assistant.ts'

const maxVersions = 200

/** Queries and mutations of assistant versions. */
@Resolver()
export class AssistantResolver {
  @Requires('operations:read')
  @Query(() => [AssistantVersion], {
    description: 'Returns assistant versions by type, newest first; at most 200.',
  })
  assistantVersions(
    @Arg('assistantType', () => LabelScalar, {
      nullable: true,
      description: 'Returns only versions of this type.',
    })
    assistantType: string | null,
    @Arg('status', () => AssistantStatus, {
      nullable: true,
      description: 'Returns only versions with this status.',
    })
    status: AssistantStatus | null,
    @Ctx() context: Context,
  ): Promise<AssistantVersion[]> {
    const where = { ...(assistantType && { assistantType }), ...(status && { status }) }
    return listVersions(context, where, maxVersions)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, { description: 'Drafts the next version of an assistant.' })
  draftAssistantVersion(
    @Arg('input', () => DraftAssistantVersionInput, { description: 'The version to draft.' })
    input: DraftAssistantVersionInput,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return draftAssistant(context, input)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, {
    description:
      'Publishes a draft and retires the previously published version of its type. The author of ' +
      'the draft cannot publish it. Open sessions keep their version.',
  })
  publishAssistantVersion(
    @Arg('assistantVersionId', () => ID, { description: 'The ID of the assistant version.' })
    assistantVersionId: string,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return publishAssistant(context, assistantVersionId)
  }

  @Requires('operations:manage')
  @Mutation(() => AssistantVersion, {
    description: 'Retires a version. New sessions no longer use it.',
  })
  retireAssistantVersion(
    @Arg('assistantVersionId', () => ID, { description: 'The ID of the assistant version.' })
    assistantVersionId: string,
    @Ctx() context: Context,
  ): Promise<AssistantVersion> {
    return retireAssistant(context, assistantVersionId)
  }
}
