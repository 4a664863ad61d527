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

/** The timeline entry of each action. */
export const doneOf: Readonly<Record<CaseAct, EntryKind>> = {
  start: 'started',
  waitForCustomer: 'waiting-for-customer',
  resume: 'resumed',
  resolve: 'resolved',
  reopen: 'reopened',
  close: 'closed',
  withdraw: 'withdrawn',
}

/** Entries the party can read; the others are internal to the bank. */
const sharedKinds: readonly EntryKind[] = ['opened', ...Object.values(doneOf)]

/** One entry in the timeline of a case. */
export interface Entry {
  caseId: string
  number: number
  kind: EntryKind
  text: string | null
  /** Whether the party can read the entry. */
  isShared: boolean
  /** The user or client who made the entry. */
  by: string
  at: Date
}

export interface Happening {
  kind: EntryKind
  text?: string | null
  isShared?: boolean
}

/** Appends entries to the timeline of a case. */
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
