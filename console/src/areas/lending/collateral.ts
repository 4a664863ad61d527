import type { CollateralQuery } from './queries.generated.ts'

export type Collateral = NonNullable<CollateralQuery['collateral']>
