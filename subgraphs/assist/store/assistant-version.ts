import { eventDataOf } from '../../../kernel/events/record-data.ts'
import { AssistantVersion as AssistantVersionModel } from '../model/assistant.ts'
import type { AssistantStatus } from '../model/enumerations.ts'
import type { Prisma } from '../../../prisma/client/client.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { RecordKind } from '../../../kernel/writing/records.ts'
import { tableOf } from '../../../kernel/writing/table.ts'
import type { AssistantVersion } from '../domain/assistant-version.ts'
import type { AssistantEvent } from '../events.ts'

const table = tableOf<AssistantVersion, Prisma.AssistantVersionGetPayload<object>>(
  'assist.assistant_version',
  'assistantVersionId',
  ({ db }) => db.assistantVersion,
  (row) => ({
    ...row,
    status: row.status as AssistantVersion['status'],
    consent: row.consent as AssistantVersion['consent'],
  }),
)

export const assistantKind: RecordKind<AssistantVersion, AssistantEvent> = {
  ...table,
  entity: 'assistant-version',
  id: 'assistantVersion',
  notFound: 'ASSISTANT_NOT_FOUND',
  created: 'ai.assistant.drafted',
  ownersOf: () => [],
  snapshot: (version) => eventDataOf(AssistantVersionModel, version),
  isPublished: false,
}

/** Returns the versions of one type or of all types, newest first within each type. */
export function listVersions(
  context: Context,
  where: { assistantType?: string; status?: AssistantStatus },
  take: number,
): Promise<AssistantVersion[]> {
  const orderBy = [{ assistantType: 'asc' }, { number: 'desc' }]
  return table.findMany(context, { where, orderBy, take })
}
