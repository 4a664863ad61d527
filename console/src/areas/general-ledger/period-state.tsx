import { Badge } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import type { AccountingPeriodState } from './queries.generated.ts'

const colors: Readonly<Record<AccountingPeriodState, string>> = {
  OPEN: 'gray',
  SOFT_CLOSED: 'yellow',
  CLOSED: 'teal',
}

/** The state of an accounting period, whose work is done when it is closed. */
export const PeriodState = ({ value }: { value: AccountingPeriodState }) => (
  <Badge variant="light" color={colors[value]} className="state">
    {readable(value)}
  </Badge>
)
