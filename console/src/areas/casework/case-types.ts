import type { CaseStatus, CaseType } from './queries.generated.ts'

export const caseTypes: readonly CaseType[] = [
  'SERVICING',
  'COMPLAINT',
  'HARDSHIP',
  'DISPUTE',
  'CREDIT_REVIEW',
  'KYC_REVIEW',
  'FRAUD',
  'ESTATE',
]

/** The types that customers open themselves. */
export const selfServiceTypes: readonly CaseType[] = [
  'SERVICING',
  'COMPLAINT',
  'HARDSHIP',
  'DISPUTE',
]

/** The statuses of cases that have not ended, in the order of the work. */
export const openStatuses = [
  'OPEN',
  'IN_PROGRESS',
  'WAITING_FOR_CUSTOMER',
  'RESOLVED',
] as const satisfies readonly CaseStatus[]
