import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { requireAnotherPerson } from '../../../kernel/authorization/principals.ts'
import {
  changeRecord,
  createRecord,
  publicationOf,
  versioned,
} from '../../../kernel/writing/records.ts'
import { sqlState } from '../../../kernel/database/sql-errors.ts'
import { genericProfile, type AssistantProfile } from '../domain/assistant-type.ts'
import {
  profileFrom,
  publishVersion,
  requireFitting,
  retireVersion,
  type AssistantRequest,
  type AssistantVersion,
} from '../domain/assistant-version.ts'
import type { Session } from '../domain/session.ts'
import { assistantKind, listVersions } from '../store/assistant-version.ts'

/**
 * Creates the next version of an assistant as a draft. Another person must publish it.
 * Throws VALIDATION_FAILED, RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS.
 */
export function draftAssistant(
  context: Context,
  { assistantVersionId, ...request }: AssistantRequest & { assistantVersionId?: string | null },
): Promise<AssistantVersion> {
  requireBank(context)
  requireFitting(request)
  const input = { assistantVersionId, ...request }
  const operation = 'draftAssistantVersion'
  return createRecord(
    context,
    assistantKind,
    operation,
    input,
    assistantVersionId,
    async (stamp) => {
      const [last] = await listVersions(context, { assistantType: request.assistantType }, 1)
      const record: AssistantVersion = {
        ...versioned(stamp),
        ...request,
        assistantVersionId: stamp.id,
        number: (last?.number ?? 0) + 1,
        status: 'draft',
        draftedBy: context.caller.subject,
        publishedBy: null,
        publishedAt: null,
        retiredAt: null,
      }
      return { record }
    },
  )
}

/**
 * Publishes a draft. New sessions use it; open sessions keep their version. The previously
 * published version is retired in the same commit.
 * Throws ASSISTANT_NOT_FOUND, INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES for the author,
 * NOT_FOR_DELEGATED_USERS, VERSION_CONFLICT if another version is published concurrently.
 */
export function publishAssistant(context: Context, id: string): Promise<AssistantVersion> {
  requireBank(context)
  const request = { assistantVersionId: id }
  const event = 'ai.assistant.published'
  return changeRecord(
    context,
    assistantKind,
    'publishAssistantVersion',
    request,
    id,
    event,
    async (before, now) => {
      const record = publishVersion(before, context.caller.subject, now)
      const detail =
        'The version cannot be published by the person who drafted it, or who owns the client that did.'
      await requireAnotherPerson(context, [before.draftedBy], { resourceId: id, detail })
      const previous = await publishedOf(context, before.assistantType)
      if (!previous) return { record }
      const retiredVersion = {
        ...retireVersion(previous, now),
        version: previous.version + 1,
        updatedAt: now,
      }
      const { events } = publicationOf(assistantKind, retiredVersion, 'ai.assistant.retired')
      return { record, writes: [assistantKind.update(previous, retiredVersion)], events }
    },
  ).catch((cause: unknown) => {
    // If two versions of a type are published concurrently, the database accepts only one of them.
    if (sqlState(cause) === '23P01') throw new Problem('VERSION_CONFLICT', {}, { cause })
    throw cause
  })
}

/**
 * Retires a version. If its assistant type then has no published version, the type is disabled.
 * Throws ASSISTANT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function retireAssistant(context: Context, id: string): Promise<AssistantVersion> {
  requireBank(context)
  const request = { assistantVersionId: id }
  const event = 'ai.assistant.retired'
  const operation = 'retireAssistantVersion'
  return changeRecord(context, assistantKind, operation, request, id, event, (before, now) => ({
    record: retireVersion(before, now),
  }))
}

async function publishedOf(context: Context, assistantType: string) {
  const [found] = await listVersions(context, { assistantType, status: 'published' }, 1)
  return found ?? null
}

/**
 * Returns the ID and the profile of the assistant version for new sessions of a type. A type
 * without a published or retired version uses the general assistant, which has no tools and no ID.
 * Throws ASSISTANT_DISABLED if the type has a retired version but no published version.
 */
export async function currentVersion(context: Context, assistantType: string) {
  const publishedVersion = await publishedOf(context, assistantType)
  if (publishedVersion)
    return { id: publishedVersion.assistantVersionId, profile: profileFrom(publishedVersion) }
  const versions = await listVersions(context, { assistantType }, 100)
  if (versions.some(({ status }) => status === 'retired')) {
    throw new Problem('ASSISTANT_DISABLED', {
      detail: `The assistant ${assistantType} has no published version.`,
    })
  }
  return { id: null, profile: genericProfile }
}

// The content of a version never changes, so profiles are cached without expiry.
const profiles = new WeakMap<Bank, Map<string, AssistantProfile>>()

/** Returns the profile of the assistant version with which the session was opened. */
export async function profileOf(
  context: Context,
  { assistantVersionId: id }: Pick<Session, 'assistantVersionId'>,
): Promise<AssistantProfile> {
  if (id === null) return genericProfile
  let cachedProfiles = profiles.get(context.bank)
  if (!cachedProfiles) profiles.set(context.bank, (cachedProfiles = new Map()))
  let profile = cachedProfiles.get(id)
  if (!profile) {
    profile = profileFrom((await assistantKind.find(context, id))!)
    cachedProfiles.set(id, profile)
  }
  return profile
}
