import { requireBank } from '../../../kernel/authorization/auth.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { applyTransition } from '../../../kernel/domain/state-machine.ts'
import { changeRecord, createRecord, versioned } from '../../../kernel/writing/records.ts'
import { sqlState } from '../../../kernel/database/sql-errors.ts'
import { genericProfile, type AssistantProfile } from '../domain/assistant-type.ts'
import { profileFrom, requireValidToolsAndLimits } from '../domain/assistant-version.ts'
import { assistantEvents, type AssistantEvent } from '../events.ts'
import {
  assistantStates,
  type AssistantVersion,
  type DraftAssistantVersionInput,
} from '../model/assistant.ts'
import type { Session } from '../model/assist.ts'
import { assistantKind, listVersions } from '../store/assistant-version.ts'

/**
 * Creates the next version of an assistant as a draft. Another person must publish it.
 * Throws VALIDATION_FAILED, RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS.
 */
export function draftAssistant(
  context: Context,
  { assistantVersionId, ...request }: DraftAssistantVersionInput,
): Promise<AssistantVersion> {
  requireBank(context)
  requireValidToolsAndLimits(request)
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
 * Changes an assistant version and emits the event. A version that is published replaces the
 * published version of its type, which is retired in the same commit.
 * Throws ASSISTANT_NOT_FOUND, VERSION_CONFLICT if another version is published concurrently, and
 * whatever `decide` throws.
 */
export function changeAssistant(
  context: Context,
  operation: string,
  input: Readonly<Record<string, unknown>>,
  id: string,
  event: AssistantEvent,
  decide: (before: AssistantVersion, now: Date) => AssistantVersion | Promise<AssistantVersion>,
): Promise<AssistantVersion> {
  return changeRecord(context, assistantKind, operation, input, id, event, async (before, now) => {
    const record = await decide(before, now)
    if (record.status !== 'published') return { record }
    return { record, ...(await retirePublished(context, record.assistantType, now)) }
  }).catch((cause: unknown) => {
    // If two versions of a type are published concurrently, the database accepts only one of them.
    if (sqlState(cause) === '23P01') throw new Problem('VERSION_CONFLICT', {}, { cause })
    throw cause
  })
}

/** Returns the writes and events that retire the published version of a type, if there is one. */
async function retirePublished(context: Context, assistantType: string, now: Date) {
  const published = await publishedOf(context, assistantType)
  if (!published) return {}
  const request = { now, subject: context.caller.subject }
  const retired = {
    ...applyTransition(assistantStates, 'retireAssistantVersion', published, request),
    version: published.version + 1,
    updatedAt: now,
  }
  return {
    writes: [assistantKind.update(published, retired)],
    events: [assistantEvents.event('ai.assistant.retired', retired)],
  }
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
