import { AssistantStatus } from '../model/enumerations.ts'
import { label, object, oneOf } from '../../../kernel/domain/model.ts'
import { operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import { changeAssistant, draftAssistant } from '../commands/assistant-version.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { requireOtherAuthor } from '../domain/assistant-version.ts'
import { isConsentNeeded } from '../domain/consent.ts'
import { isToolName } from '../domain/tool.ts'
import { providerOf } from '../provider/model.ts'
import { toolOut } from './out.ts'
import { listVersions } from '../store/assistant-version.ts'
import {
  Assistant,
  assistantStates,
  AssistantVersion,
  DraftAssistantVersionInput,
} from '../model/assistant.ts'

const maxVersions = 200

/** Queries and mutations of assistant versions. */
export const AssistantOperations = resolverOf({
  queries: {
    assistants: operation({
      description:
        'Returns the assistants that the caller can talk to, by type. Delegated users get those ' +
        'for customers.',
      scope: 'assist:use',
      returns: [Assistant],
      args: {},
      async resolve(context): Promise<Assistant[]> {
        const where = {
          status: 'published' as const,
          ...(context.caller.partyId && { isForCustomers: true }),
        }
        const versions = await listVersions(context, where, maxVersions)
        return versions.map((version) => assistantOut(context, version))
      },
    }),
    assistantVersions: operation({
      description:
        'Returns assistant versions by type, newest first; at most 200. Not available to delegated users.',
      scope: 'operations:read',
      isForBankOnly: true,
      returns: [AssistantVersion],
      args: {
        assistantType: label('Returns only versions of this type.').orNull(),
        status: oneOf(AssistantStatus, 'Returns only versions with this status.').orNull(),
      },
      resolve(context, { assistantType, status }) {
        const where = { ...(assistantType && { assistantType }), ...(status && { status }) }
        return listVersions(context, where, maxVersions)
      },
    }),
  },
  mutations: {
    draftAssistantVersion: operation({
      description: 'Drafts the next version of an assistant.',
      scope: 'operations:manage',
      needsPerson: true,
      returns: AssistantVersion,
      args: { input: object(DraftAssistantVersionInput, 'The version to draft.') },
      resolve: (context, { input }) => draftAssistant(context, input),
    }),
    ...transitionsOf(assistantStates, changeAssistant, {
      async publishAssistantVersion(published, { context, before, subject }) {
        requireOtherAuthor(before, subject)
        const detail =
          'The version cannot be published by the person who drafted it, or who owns the client that did.'
        const resourceId = before.assistantVersionId
        await requireAnotherPerson(context, [before.draftedBy], { resourceId, detail })
        return published
      },
    }),
  },
})

function assistantOut({ bank }: Context, version: AssistantVersion): Assistant {
  const { assistantType, isForCustomers, consent, tools } = version
  return {
    assistantType,
    isForCustomers,
    isConsentRequired: isConsentNeeded(consent, providerOf(bank)),
    tools: tools.filter(isToolName).map(toolOut),
  }
}
