import type { CustomerQuery } from './queries.generated.ts'

/** A party as the page of a customer shows it. */
export type Party = NonNullable<CustomerQuery['party']>
