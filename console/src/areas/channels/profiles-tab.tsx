import { useQuery } from '@apollo/client/react'
import { SegmentedControl, Stack } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  RoutingProfilesDocument,
  type ProfilePartsFragment,
  type RoutingProfileStatus,
} from './queries.generated.ts'
import { useTabState } from './tab-state.ts'

const statuses: readonly RoutingProfileStatus[] = ['DRAFT', 'ACTIVE', 'INACTIVE', 'ARCHIVED']

const columns: readonly Column<ProfilePartsFragment>[] = [
  {
    title: 'Profile',
    cell: ({ routingProfileId, name }) => (
      <AppLink to="/routing-profiles/$routingProfileId" params={{ routingProfileId }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'Kind', cell: ({ kind }) => readable(kind) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Media',
    cell: ({ queues }) =>
      [...new Set(queues.map(({ channel }) => readable(channel)))].join(', ') || <Missing />,
  },
  {
    title: 'Segments',
    cell: ({ segments }) => (segments.length > 0 ? segments.join(', ') : 'All'),
  },
  { title: 'Falls back to', cell: ({ fallbackProfile }) => fallbackProfile?.name ?? <Missing /> },
]

/** The routing profiles, by status. */
export function ProfilesTab() {
  const { status = 'ALL', after, change } = useTabState()
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(RoutingProfilesDocument, {
    variables: {
      status: status === 'ALL' ? null : (status as RoutingProfileStatus),
      after: after ?? null,
    },
  })
  return (
    <Section
      title="Routing profiles"
      actions={
        may('routing:write') && (
          <LinkButton to="/routing-profiles/new" size="xs" variant="light">
            New profile
          </LinkButton>
        )
      }
    >
      <Stack>
        <SegmentedControl
          aria-label="Status"
          className="scrolling-x"
          data={['ALL', ...statuses].map((value) => ({ value, label: readable(value) }))}
          value={status}
          onChange={(value) => change({ status: value, after: undefined })}
        />
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Routing profiles"
          connection={(data ?? previousData)?.routingProfiles}
          columns={columns}
          keyOf={({ routingProfileId }) => routingProfileId}
          after={after}
          onPage={(cursor) => change({ after: cursor })}
          empty="There is no such profile. A profile says which queues its agents serve."
        />
      </Stack>
    </Section>
  )
}
