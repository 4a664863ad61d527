import type { Case, CaseAction, Entry } from '../model/case.ts'
import type { EntryKind } from '../model/enumerations.ts'

/** The kind of timeline entry that each action adds. */
export const entryKindOf: Readonly<Record<CaseAction, EntryKind>> = {
  startCase: 'started',
  waitForCustomer: 'waiting-for-customer',
  resumeCase: 'resumed',
  resolveCase: 'resolved',
  reopenCase: 'reopened',
  closeCase: 'closed',
  withdrawCase: 'withdrawn',
}

/** The kinds of entries that the party may read by default. Other kinds are internal. */
const sharedKinds: readonly EntryKind[] = ['opened', ...Object.values(entryKindOf)]

export interface TimelineEvent {
  kind: EntryKind
  text?: string | null
  isShared?: boolean
}

/** Returns new timeline entries and the case with its increased entry count. */
export function appendToTimeline(
  caseFile: Case,
  timelineEvents: readonly TimelineEvent[],
  by: string,
  at: Date,
): { caseFile: Case; entries: Entry[] } {
  const entries = timelineEvents.map(({ kind, text, isShared }, index) => ({
    caseId: caseFile.caseId,
    number: caseFile.entries + index + 1,
    kind,
    text: text ?? null,
    isShared: isShared ?? sharedKinds.includes(kind),
    by,
    at,
  }))
  return { caseFile: { ...caseFile, entries: caseFile.entries + entries.length }, entries }
}
