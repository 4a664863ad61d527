import { useQuery } from '@apollo/client/react'
import { Group } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { templateStatuses } from './options.ts'
import {
  NotificationTemplatesDocument,
  type NotificationTemplatesQuery,
  type NotificationTemplateStatus,
} from './queries.generated.ts'

type Row = NonNullable<NotificationTemplatesQuery['notificationTemplates']>['nodes'][number]

const columns: readonly Column<Row>[] = [
  {
    title: 'Template',
    cell: ({ templateId, templateCode }) => (
      <AppLink to="/notification-templates/$templateId" params={{ templateId }}>
        {templateCode}
      </AppLink>
    ),
  },
  { title: 'Channel', cell: ({ channel }) => readable(channel) },
  { title: 'Language', cell: ({ language }) => language },
  { title: 'Version', cell: ({ version }) => version, isNumeric: true },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Changed', cell: ({ updatedAt }) => <Time value={updatedAt} /> },
]

/** The wordings of notifications, in all versions, channels and languages. */
export function TemplatesPage() {
  const { code, status, after } = useSearch({ from: '/notification-templates' })
  const navigate = useNavigate({ from: '/notification-templates' })
  const may = useMay()
  useChangesOfType(['notifications.template.*'])
  const { data, previousData, error, refetch } = useQuery(NotificationTemplatesDocument, {
    variables: {
      code: code ?? null,
      status: (status as NotificationTemplateStatus | undefined) ?? null,
      after: after ?? null,
    },
  })
  return (
    <Page
      title="Notification templates"
      lead="One template for each code, channel and language. A second person approves each version."
      actions={
        may('templates:write') && (
          <LinkButton to="/notification-templates/new">New template</LinkButton>
        )
      }
    >
      <Filters />
      <Section title="Templates">
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Templates"
          connection={(data ?? previousData)?.notificationTemplates}
          columns={columns}
          keyOf={({ templateId }) => templateId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
          empty="No template matches. Choose another status or code, or create a template."
        />
      </Section>
    </Page>
  )
}

function Filters() {
  const { code, status } = useSearch({ from: '/notification-templates' })
  const navigate = useNavigate({ from: '/notification-templates' })
  const change = (values: { code?: string; status?: string }) =>
    void navigate({ search: (old) => ({ ...old, after: '', ...values }), resetScroll: false })
  return (
    <Group align="flex-end">
      <SelectFilter
        label="Status"
        all="All statuses"
        data={templateStatuses}
        value={status}
        onChange={(value) => change({ status: value })}
      />
      <TextFilter label="Code" value={code} onChange={(value) => change({ code: value })} />
    </Group>
  )
}
