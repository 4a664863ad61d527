import type { Case, CaseAct } from './case.ts'

export const entryKinds = [
  'opened',
  'started',
  'waiting-for-customer',
  'resumed',
  'resolved',
  'reopened',
  'closed',
  'withdrawn',
  'assigned',
  'sent-to-routing',
  'queued',
  'not-routed',
  'linked',
  'note',
  'document',
  'at-risk',
  'breached',
] as const
export type EntryKind = (typeof entryKinds)[number]

/** What each act is called once it is done. */
export const doneOf: Readonly<Record<CaseAct, EntryKind>> = {
  start: 'started',
  waitForCustomer: 'waiting-for-customer',
  resume: 'resumed',
  resolve: 'resolved',
  reopen: 'reopened',
  close: 'closed',
  withdraw: 'withdrawn',
}

/** The party of a case is told of these; the rest is how the bank works. */
const sharedKinds: readonly EntryKind[] = ['opened', ...Object.values(doneOf)]

/** Something that happened in a case. */
export interface Entry {
  caseId: string
  number: number
  kind: EntryKind
  text: string | null
  /** The party of the case may read it. */
  isShared: boolean
  /** The subject of whoever did it. */
  by: string
  at: Date
}

export interface Happening {
  kind: EntryKind
  text?: string | null
  isShared?: boolean
}

/** A case with what happened in it, in order; the entries that are new. */
export function record(
  about: Case,
  happenings: readonly Happening[],
  by: string,
  at: Date,
): { about: Case; entries: Entry[] } {
  const entries = happenings.map(({ kind, text, isShared }, index) => ({
    caseId: about.caseId,
    number: about.entries + index + 1,
    kind,
    text: text ?? null,
    isShared: isShared ?? sharedKinds.includes(kind),
    by,
    at,
  }))
  return { about: { ...about, entries: about.entries + entries.length }, entries }
}
