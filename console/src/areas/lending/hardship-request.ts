import type { HardshipRequestQuery } from './queries.generated.ts'

/** A hardship request, as its page shows it. */
export type HardshipRequest = NonNullable<HardshipRequestQuery['hardshipRequest']>
