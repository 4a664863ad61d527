import { useQuery } from '@apollo/client/react'
import type { OperationVariables, TypedDocumentNode } from '@apollo/client'
import { Stack, Text } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { FiguresComparison } from './figures-comparison.tsx'
import type { FiguresPartsFragment } from './queries.generated.ts'
import { ScheduleChart } from './schedule-chart.tsx'
import type { ScheduledInstallment } from './schedule-rows.ts'

/** What a change would do to a schedule. */
export interface PreviewedChange {
  before?: FiguresPartsFragment | null
  after?: FiguresPartsFragment | null
  installments: readonly ScheduledInstallment[]
}

interface PreviewProps<Data, Variables extends OperationVariables, Change extends PreviewedChange> {
  query: TypedDocumentNode<Data, Variables>
  /** Null while the form is incomplete. */
  variables: Variables | null
  pick: (data: Data) => Change | null | undefined
  /** The schedule in force. */
  today: readonly ScheduledInstallment[]
  currency: string
  /** What to enter before there is a preview. */
  hint: string
  /** What the change costs or saves, above the figures. */
  summary?: (change: Change) => ReactNode
}

/** The effects of a change beside the schedule of today. Nothing is stored. */
export function Preview<Data, Variables extends OperationVariables, Change extends PreviewedChange>(
  props: PreviewProps<Data, Variables, Change>,
) {
  const { query, pick, today, currency, hint, summary } = props
  const [typed] = useDebouncedValue(JSON.stringify(props.variables), 300)
  const variables = JSON.parse(typed) as Variables | null
  const { data, previousData, error, loading } = useQuery(query, {
    variables: (variables ?? {}) as Variables,
    skip: !variables,
    fetchPolicy: 'network-only',
  } as useQuery.Options<Data, Variables>)
  const shown = (data ?? (loading ? previousData : undefined)) as Data | undefined
  const change = variables && !error && shown ? pick(shown) : null
  return (
    <Section title="Preview" description="How the schedule would continue. Nothing is stored yet.">
      {!variables && <Empty>{hint}</Empty>}
      {variables && error && <ProblemAlert error={error} />}
      {variables && !change && !error && <Lines count={6} />}
      {change && (
        <Stack aria-live="polite">
          {summary && <Text component="div">{summary(change)}</Text>}
          <FiguresComparison before={change.before} after={change.after} />
          <ScheduleChart
            schedule={withStatuses(change.installments, today)}
            currency={currency}
            name="after"
            compared={today.length > 0 ? { name: 'today', installments: today } : undefined}
          />
        </Stack>
      )}
    </Section>
  )
}

/** Gives installments that are paid or due, which no change touches, the status that they have today. */
function withStatuses(
  installments: readonly ScheduledInstallment[],
  today: readonly ScheduledInstallment[],
): ScheduledInstallment[] {
  const statuses = new Map(today.map(({ dueDate, status }) => [dueDate, status]))
  return installments.map((installment) => ({
    ...installment,
    status: statuses.get(installment.dueDate) ?? 'UPCOMING',
  }))
}
