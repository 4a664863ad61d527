import { useQuery } from '@apollo/client/react'
import { Button, Code, Group, Modal, Stack, Switch, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { TextFilter } from '../../parts/text-filter.tsx'
import { Id, Time } from '../../parts/values.tsx'
import { LoggedRequestsDocument, type LoggedRequestsQuery } from './queries.generated.ts'

type LoggedRequest = NonNullable<LoggedRequestsQuery['loggedRequests']>['nodes'][number]

/** What programs sent and what they got, request by request. */
export function LoggedRequests() {
  const { after, program, code, request } = useSearch({ from: '/access' })
  const navigate = useNavigate({ from: '/access' })
  const [shown, setShown] = useState<LoggedRequest | null>(null)
  const { data, previousData, error } = useQuery(LoggedRequestsDocument, {
    variables: {
      filter: {
        clientId: program || null,
        requestId: request || null,
        isRejected: code === 'any' ? true : null,
      },
      after: after || null,
    },
  })
  const change = (values: { program?: string; request?: string; code?: string }) =>
    void navigate({ search: (old) => ({ ...old, after: '', ...values }) })
  return (
    <Section
      title="Requests"
      description="The requests of all programs, with masked bodies. They are kept for 30 days."
    >
      <Group mb="md" align="end">
        <TextFilter
          label="Program"
          placeholder="cli_…"
          value={program}
          onChange={(value) => change({ program: value })}
        />
        <TextFilter
          label="Request ID"
          value={request}
          onChange={(value) => change({ request: value })}
        />
        <Switch
          label="Only with a problem"
          checked={code === 'any'}
          onChange={({ currentTarget }) => change({ code: currentTarget.checked ? 'any' : '' })}
          mb="xs"
        />
      </Group>
      <ConnectionTable
        error={error}
        label="Requests"
        connection={(data ?? previousData)?.loggedRequests}
        columns={columnsWith(setShown)}
        keyOf={({ entryId }) => entryId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
        empty="No program has sent such a request."
      />
      {shown && <RequestDialog request={shown} close={() => setShown(null)} />}
    </Section>
  )
}

const columnsWith = (show: (request: LoggedRequest) => void): readonly Column<LoggedRequest>[] => [
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Request',
    cell: ({ operation, method, path }) => (
      <>
        <Text fw={600}>{operation}</Text>
        <Text size="sm" c="dimmed">
          {method} {path}
        </Text>
      </>
    ),
  },
  { title: 'Response', cell: ({ status, code }) => <Code>{code ?? status}</Code> },
  { title: 'Milliseconds', isNumeric: true, cell: ({ durationMs }) => durationMs },
  { title: 'Program', cell: ({ clientId }) => clientId },
  {
    title: 'Bodies',
    cell: (request) => (
      <Button size="compact-sm" variant="default" onClick={() => show(request)}>
        Show
      </Button>
    ),
  },
]

function RequestDialog({ request, close }: { request: LoggedRequest; close: () => void }) {
  const { operation, requestId, idempotencyKey, requestBody, responseBody } = request
  return (
    <Modal opened onClose={close} size="xl" title={operation}>
      <Stack>
        <Text size="sm">
          Request <Id value={requestId} />
          {idempotencyKey && (
            <>
              , idempotency key <Id value={idempotencyKey} />
            </>
          )}
        </Text>
        <Body title="Sent" text={requestBody} />
        <Body title="Received" text={responseBody} />
      </Stack>
    </Modal>
  )
}

const Body = ({ title, text }: { title: string; text: string | null }) => (
  <div>
    <Text fw={600}>{title}</Text>
    {text === null ? (
      <Text c="dimmed">No body, or one that is too long to be kept.</Text>
    ) : (
      <Code block tabIndex={0} aria-label={title}>
        {JSON.stringify(JSON.parse(text), null, 2)}
      </Code>
    )}
  </div>
)
