import { useQuery } from '@apollo/client/react'
import { Badge, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { CommandButton } from '../../parts/command-button.tsx'
import { Empty } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { useMay } from '../../session/session.ts'
import { CaseClock } from './case-clock.tsx'
import { openStatuses } from './case-types.ts'
import './casework.css'
import {
  CaseBoardDocument,
  StartCaseDocument,
  type CaseBoardQuery,
  type CaseCardFragment,
  type CaseStatus,
  type CaseType,
} from './queries.generated.ts'

const hints: Record<(typeof openStatuses)[number], string> = {
  OPEN: 'Nothing waits to be started.',
  IN_PROGRESS: 'Nobody works on a case. Start one.',
  WAITING_FOR_CUSTOMER: 'No customer owes an answer.',
  RESOLVED: 'Nothing waits to be closed.',
}

/** The cases that have not ended, by status; in each status, the next deadline comes first. */
export function CaseBoard() {
  const { type, assignee } = useSearch({ from: '/cases' })
  const { data, previousData, error, refetch } = useQuery(CaseBoardDocument, {
    variables: {
      caseType: (type as CaseType | undefined) ?? null,
      assigneeId: assignee ?? null,
      isEmployee: true,
    },
  })
  const board = data ?? previousData
  return (
    <>
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <section className="board" aria-label="Cases by status">
        {openStatuses.map((status) => (
          <BoardColumn key={status} status={status} cases={board?.[status]} />
        ))}
      </section>
    </>
  )
}

function BoardColumn({
  status,
  cases,
}: {
  status: (typeof openStatuses)[number]
  cases: CaseBoardQuery[CaseStatus & keyof CaseBoardQuery] | undefined
}) {
  const nodes = (cases?.nodes ?? []).toSorted(
    (a, b) => a.clock.remainingSeconds - b.clock.remainingSeconds,
  )
  const overdue = nodes.filter(({ clock }) => clock.isRunning && clock.remainingSeconds <= 0).length
  return (
    <section aria-label={readable(status)} className="board-column">
      <Group justify="space-between" mb="sm">
        <Title order={2} size="h5">
          {readable(status)}
        </Title>
        <Group gap={6}>
          {overdue > 0 && (
            <Badge color="red" variant="light" className="state">
              {overdue} overdue
            </Badge>
          )}
          <Badge variant="default">
            {nodes.length}
            {cases?.pageInfo.hasNextPage && '+'}
          </Badge>
        </Group>
      </Group>
      {!cases && <Lines count={3} />}
      {cases && nodes.length === 0 && <Empty>{hints[status]}</Empty>}
      <Stack gap="sm" component="ul" className="board-cards">
        {nodes.map((each) => (
          <CaseCard key={each.caseId} case={each} />
        ))}
      </Stack>
      {cases?.pageInfo.hasNextPage && (
        <AppLink
          to="/cases"
          search={(old) => ({ ...old, view: 'list', status }) as never}
          size="sm"
        >
          All that are {readable(status).toLowerCase()}
        </AppLink>
      )}
    </section>
  )
}

function CaseCard({ case: each }: { case: CaseCardFragment }) {
  const { caseId, title, caseType, status, priority, party, assignee, clock } = each
  const may = useMay()
  const isUrgent = priority === 'HIGH' || priority === 'URGENT'
  return (
    <Card component="li" padding="sm">
      <AppLink to="/cases/$caseId" params={{ caseId }} fw={600}>
        {title}
      </AppLink>
      <Text size="sm" c="dimmed">
        {[readable(caseType), party?.displayName].filter(Boolean).join(' · ')}
      </Text>
      <Group gap={6} mt="xs">
        <CaseClock clock={clock} />
        {isUrgent && (
          <Badge color="orange" variant="light" className="state">
            {readable(priority)}
          </Badge>
        )}
      </Group>
      <Group justify="space-between" mt="xs" gap="xs">
        <Text size="sm" c="dimmed">
          {assignee?.name ?? 'Not assigned'}
        </Text>
        {status === 'OPEN' && may('cases:write') && (
          <CommandButton
            id={`start:${caseId}`}
            mutation={StartCaseDocument}
            variables={{ caseId }}
            size="compact-xs"
            variant="light"
          >
            Start<span className="visually-hidden"> {title}</span>
          </CommandButton>
        )}
      </Group>
    </Card>
  )
}
