import type { AssistantVersion } from '../model/assistant.ts'
import type { AssistantStatus } from '../model/enumerations.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import { assistantEvents, type AssistantEvent } from '../events.ts'

const table = tableOf<AssistantVersion>(
  'assist.assistant_version',
  'assistantVersionId',
  ({ db }) => db.assistantVersion,
)

export const assistantKind: RecordKind<AssistantVersion, AssistantEvent> = {
  ...table,
  ...assistantEvents,
  id: 'assistantVersion',
  notFound: 'ASSISTANT_NOT_FOUND',
  created: 'ai.assistant.drafted',
  ownersOf: () => [],
  isPublished: false,
}

/** Returns the versions of one type or of all types, newest first within each type. */
export function listVersions(
  context: Context,
  where: { assistantType?: string; status?: AssistantStatus; isForCustomers?: boolean },
  take: number,
): Promise<AssistantVersion[]> {
  const orderBy = [{ assistantType: 'asc' }, { number: 'desc' }]
  return table.findMany(context, { where, orderBy, take })
}
