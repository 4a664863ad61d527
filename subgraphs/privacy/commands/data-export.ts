import { maySee, requireVisible } from '../../../kernel/authorization/auth.ts'
import { addMs, dayMs } from '../../../kernel/domain/dates.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { readFacts } from '../../../kernel/writing/facts.ts'
import { createRecord, versioned } from '../../../kernel/writing/records.ts'
import { factSubjectOf, namesOf } from '../domain/data-subject.ts'
import { Problem } from '../domain/problems.ts'
import type { DataExport } from '../model/data-export.ts'
import { missingSubject, requireSubject } from './data-subject.ts'
import { dataExportKind, dataExports, readersOf } from '../store/data-export.ts'

const validForMs = 7 * dayMs

/**
 * Requests an export of the data of a party or an employee. A delegated user can request only the own data, and
 * gets an export without the records that the bank must review first. Throws PARTY_NOT_FOUND,
 * EMPLOYEE_NOT_FOUND, VALIDATION_FAILED unless the request names one person, RESOURCE_EXISTS.
 */
export function requestDataExport(
  context: Context,
  request: { dataExportId: string | null; partyId: string | null; username: string | null },
): Promise<DataExport> {
  const { dataExportId } = request
  const subject = requireSubject(request)
  const name = 'requestDataExport'
  return createRecord(context, dataExportKind, name, request, dataExportId, async (stamp) => {
    const [fact] = await readFacts(context, [factSubjectOf(subject)])
    const owners = subject.kind === 'party' ? [subject.id] : []
    if (!fact || !maySee(context.caller, owners)) throw missingSubject(subject)
    const record: DataExport = {
      ...versioned(stamp),
      dataExportId: stamp.id,
      ...namesOf(subject),
      isForBank: context.caller.partyId === null,
      requestedBy: context.caller.subject,
      expiresAt: addMs(stamp.now, validForMs),
    }
    return { record }
  })
}

/** Returns an export that the caller may read now. Throws DATA_EXPORT_NOT_FOUND, DATA_EXPORT_EXPIRED. */
export async function requireReadableExport(
  context: Context,
  dataExportId: string,
): Promise<DataExport> {
  const found = await dataExports.find(context, dataExportId)
  const code = 'DATA_EXPORT_NOT_FOUND'
  const readable = requireVisible(context, found, readersOf, code, dataExportId)
  // The record of an export names its only reader.
  if (readable.requestedBy !== context.caller.subject) {
    throw new Problem(code, { resourceId: dataExportId })
  }
  if (readable.expiresAt > context.now()) return readable
  throw new Problem('DATA_EXPORT_EXPIRED', { resourceId: dataExportId })
}
