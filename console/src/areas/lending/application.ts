import type { ApplicationQuery } from './queries.generated.ts'

/** A loan application, as its page shows it. */
export type Application = NonNullable<ApplicationQuery['loanApplication']>
