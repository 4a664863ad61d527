import { useQuery } from '@apollo/client/react'
import { Alert, Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import { CaseClock } from './case-clock.tsx'
import { openStatuses } from './case-types.ts'
import {
  CasesDocument,
  type CaseCardFragment,
  type CaseStatus,
  type CaseType,
} from './queries.generated.ts'

const statuses = ['ALL', ...openStatuses, 'CLOSED', 'WITHDRAWN']
const ended: readonly CaseStatus[] = ['CLOSED', 'WITHDRAWN']

const columnsFor = (isEmployee: boolean): readonly Column<CaseCardFragment>[] => [
  {
    title: 'Case',
    cell: ({ caseId, title }) => (
      <AppLink to="/cases/$caseId" params={{ caseId }}>
        {title}
      </AppLink>
    ),
  },
  { title: 'Type', cell: ({ caseType }) => readable(caseType) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Time',
    cell: ({ clock, status }) =>
      ended.includes(status) ? <Missing /> : <CaseClock clock={clock} />,
  },
  ...(isEmployee
    ? [
        { title: 'Customer', cell: ({ party }: CaseCardFragment) => party?.displayName },
        { title: 'Assigned to', cell: ({ assignee }: CaseCardFragment) => assignee?.name },
      ]
    : []),
  { title: 'Opened', cell: ({ openedAt }) => <Time value={openedAt} /> },
]

/** Cases in the order in which they were opened, also those that have ended. */
export function CaseList() {
  const { status = 'ALL', type, assignee, subject, after } = useSearch({ from: '/cases' })
  const navigate = useNavigate({ from: '/cases' })
  const isEmployee = useSession().person.partyId === null
  const { data, previousData, error, refetch } = useQuery(CasesDocument, {
    variables: {
      status: status === 'ALL' ? null : (status as CaseStatus),
      caseType: (type as CaseType | undefined) ?? null,
      assigneeId: assignee ?? null,
      subject: subject ?? null,
      after: after ?? null,
      isEmployee,
    },
  })
  return (
    <Section title={status === 'ALL' ? 'All cases' : readable(status)}>
      <Group mb="md">
        <SegmentedControl
          aria-label="Status"
          className="scrolling-x"
          data={statuses.map((value) => ({ value, label: readable(value) }))}
          value={status}
          onChange={(value) =>
            void navigate({
              search: (old) => ({ ...old, status: value, after: undefined }) as never,
            })
          }
        />
      </Group>
      {subject && (
        <Alert color="gray" mb="md">
          Only cases about {subject}.{' '}
          <AppLink to="/cases" search={{ view: 'list' }}>
            Show all
          </AppLink>
        </Alert>
      )}
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Cases"
        connection={(data ?? previousData)?.cases}
        columns={columnsFor(isEmployee)}
        keyOf={({ caseId }) => caseId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty={
          isEmployee
            ? 'No case matches. Choose another status or type, or open a case.'
            : 'You have no such case. With a new request you can ask the bank for something or complain.'
        }
      />
    </Section>
  )
}
