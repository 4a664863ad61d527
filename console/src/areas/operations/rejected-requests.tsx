import { useQuery } from '@apollo/client/react'
import { Code, Group, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { Time } from '../../parts/values.tsx'
import {
  RejectedRequestsDocument,
  type ErrorCode,
  type RejectedRequestsQuery,
} from './queries.generated.ts'

type Rejection = NonNullable<RejectedRequestsQuery['auditRefusals']>['nodes'][number]

const columns: readonly Column<Rejection>[] = [
  {
    title: 'Request',
    cell: ({ operation, resourceId, isThere }) => (
      <>
        <Text fw={600}>{operation}</Text>
        {resourceId && (
          <Text size="sm" c="dimmed">
            {resourceId}
            {isThere && ', which belongs to somebody else'}
          </Text>
        )}
      </>
    ),
  },
  { title: 'Problem', cell: ({ code }) => <Code>{code}</Code> },
  { title: 'Times', isNumeric: true, cell: ({ count }) => count },
  { title: 'Program', cell: ({ clientId }) => clientId },
  { title: 'Person', cell: ({ subject, partyId }) => subject ?? partyId },
  { title: 'Last', cell: ({ lastAt }) => <Time value={lastAt} /> },
]

/** What the bank rejected: exceeded rate limits, invalid tokens, and attempts to see or do more. */
export function RejectedRequests() {
  const { after, program, code } = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  const { data, previousData, error } = useQuery(RejectedRequestsDocument, {
    variables: {
      filter: {
        clientId: program ?? null,
        code: (code as ErrorCode | undefined) ?? null,
      },
      after: after ?? null,
    },
  })
  const change = (values: { program?: string; code?: string }) =>
    void navigate({ search: (old) => ({ ...old, after: '', ...values }) })
  return (
    <Section
      title="Rejected requests"
      description="Equal requests of one hour are one line. They are kept for 90 days."
    >
      <Group mb="md">
        <TextFilter
          label="Problem"
          placeholder="RATE_LIMITED"
          value={code}
          onChange={(value) => change({ code: value.toUpperCase() })}
        />
        <TextFilter
          label="Program"
          placeholder="cli_…"
          value={program}
          onChange={(value) => change({ program: value })}
        />
      </Group>
      <ConnectionTable
        error={error}
        label="Rejected requests"
        connection={(data ?? previousData)?.auditRefusals}
        columns={columns}
        keyOf={({ refusalId }) => refusalId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
        empty="Nothing was rejected."
      />
    </Section>
  )
}
