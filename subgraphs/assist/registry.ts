import { requireBank } from '../_kernel/auth.ts'
import type { Bank } from '../_kernel/bank.ts'
import type { Context } from '../_kernel/context.ts'
import { Problem } from '../_kernel/domain/problem.ts'
import { requireAnotherPerson } from '../_kernel/principals.ts'
import { changeRecord, createRecord, publish, versioned } from '../_kernel/records.ts'
import { sqlState } from '../_kernel/sql-errors.ts'
import { genericProfile, type AssistantProfile } from './domain/assistant-type.ts'
import {
  profileFrom,
  publishVersion,
  requireFitting,
  retireVersion,
  type AssistantAsked,
  type AssistantVersion,
} from './domain/assistant-version.ts'
import type { Session } from './domain/session.ts'
import { assistantKind, listVersions } from './store/assistant-version.ts'

/**
 * Drafts the next version of an assistant, for another person to publish.
 * Throws VALIDATION_FAILED, RESOURCE_EXISTS, NOT_FOR_DELEGATED_USERS.
 */
export function draftAssistant(
  context: Context,
  { assistantVersionId, ...asked }: AssistantAsked & { assistantVersionId?: string | null },
): Promise<AssistantVersion> {
  requireBank(context)
  requireFitting(asked)
  const input = { assistantVersionId, ...asked }
  const operation = 'draftAssistantVersion'
  return createRecord(
    context,
    assistantKind,
    operation,
    input,
    assistantVersionId,
    async (made) => {
      const [last] = await listVersions(context, { assistantType: asked.assistantType }, 1)
      const record: AssistantVersion = {
        ...versioned(made),
        ...asked,
        assistantVersionId: made.id,
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
 * Publishes a draft, which new sessions then use. The published version is retired in the same
 * commit; open sessions keep theirs.
 * Throws ASSISTANT_NOT_FOUND, INVALID_STATE_TRANSITION, SEGREGATION_OF_DUTIES for the author,
 * NOT_FOR_DELEGATED_USERS, VERSION_CONFLICT if another version is published concurrently.
 */
export function publishAssistant(context: Context, id: string): Promise<AssistantVersion> {
  requireBank(context)
  const asked = { assistantVersionId: id }
  const event = 'ai.assistant.published'
  return changeRecord(
    context,
    assistantKind,
    'publishAssistantVersion',
    asked,
    id,
    event,
    async (before, now) => {
      const record = publishVersion(before, context.caller.subject, now)
      const detail =
        'The person who drafted a version, or owns the client that did, cannot publish it.'
      await requireAnotherPerson(context, [before.draftedBy], { resourceId: id, detail })
      const former = await publishedOf(context, before.assistantType)
      if (!former) return { record }
      const retired = { ...retireVersion(former, now), version: former.version + 1, updatedAt: now }
      const { events } = publish(assistantKind, retired, 'ai.assistant.retired')
      return { record, writes: [assistantKind.update(former, retired)], events }
    },
  ).catch((cause: unknown) => {
    // If two first versions are published concurrently, the unique index accepts one.
    if (sqlState(cause) === '23P01') throw new Problem('VERSION_CONFLICT', {}, { cause })
    throw cause
  })
}

/**
 * Retires a version. Without a published version, the assistant type is disabled.
 * Throws ASSISTANT_NOT_FOUND, INVALID_STATE_TRANSITION, NOT_FOR_DELEGATED_USERS.
 */
export function retireAssistant(context: Context, id: string): Promise<AssistantVersion> {
  requireBank(context)
  const asked = { assistantVersionId: id }
  const event = 'ai.assistant.retired'
  const operation = 'retireAssistantVersion'
  return changeRecord(context, assistantKind, operation, asked, id, event, (before, now) => ({
    record: retireVersion(before, now),
  }))
}

async function publishedOf(context: Context, assistantType: string) {
  const [found] = await listVersions(context, { assistantType, status: 'published' }, 1)
  return found ?? null
}

/**
 * The version that new sessions of a type use. A type without versions gets the general assistant
 * without tools. Throws ASSISTANT_DISABLED if the type has versions but none is published.
 */
export async function currentVersion(context: Context, assistantType: string) {
  const published = await publishedOf(context, assistantType)
  if (published) return { id: published.assistantVersionId, profile: profileFrom(published) }
  const known = await listVersions(context, { assistantType }, 100)
  if (known.some(({ status }) => status === 'retired')) {
    throw new Problem('ASSISTANT_DISABLED', {
      detail: `The assistant ${assistantType} has no published version.`,
    })
  }
  return { id: null, profile: genericProfile }
}

// The content of a version never changes, so it is cached for good.
const profiles = new WeakMap<Bank, Map<string, AssistantProfile>>()

/** The profile of a session: that of the version it was opened with. */
export async function profileOf(
  context: Context,
  { assistantVersionId: id }: Pick<Session, 'assistantVersionId'>,
): Promise<AssistantProfile> {
  if (id === null) return genericProfile
  let known = profiles.get(context.bank)
  if (!known) profiles.set(context.bank, (known = new Map()))
  let profile = known.get(id)
  if (!profile) {
    profile = profileFrom((await assistantKind.find(context, id))!)
    known.set(id, profile)
  }
  return profile
}
