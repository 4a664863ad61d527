import { useQuery } from '@apollo/client/react'
import { Button, Group, Stack } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { Empty, Page } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { ApprovalCard } from './approval-card.tsx'
import { ToolCallsToApproveDocument } from './queries.generated.ts'

/** What assistants want to do, for the person who decides on it. */
export function ApprovalsPage() {
  const { after } = useSearch({ from: '/approvals' })
  const navigate = useNavigate({ from: '/approvals' })
  useChangesOfType(['ai.tool-call.*'])
  const { data, previousData, error, refetch } = useQuery(ToolCallsToApproveDocument, {
    variables: { after: after ?? null },
  })
  const connection = (data ?? previousData)?.assistToolCallsToApprove
  return (
    <Page
      title="Approvals"
      lead="What assistants want to change. Nothing happens before a person approves it."
    >
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!connection && !error && <Lines />}
      {connection?.nodes.length === 0 && (
        <Empty>
          Nothing waits. Requests appear here by themselves and expire after 15 minutes.
        </Empty>
      )}
      <Stack gap="lg">
        {connection?.nodes.map((call) => (
          <ApprovalCard key={call.toolCallId} call={call} />
        ))}
      </Stack>
      {connection?.pageInfo.hasNextPage && (
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={() =>
              void navigate({ search: { after: connection.pageInfo.endCursor ?? '' } })
            }
          >
            Next page
          </Button>
        </Group>
      )}
    </Page>
  )
}
