import type { ApplicationQuery } from './queries.generated.ts'

/** A loan application, as its page shows it. */
export type Application = NonNullable<ApplicationQuery['loanApplication']>

/** Whether the applicant may change an application: it is a draft, or the bank asked for information. */
export const isEditable = ({ status, informationRequested }: Application): boolean =>
  status === 'DRAFT' || (status === 'SUBMITTED' && Boolean(informationRequested))
