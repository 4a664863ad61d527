import { Group, Stack, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { CaseClock, Deadline } from './case-clock.tsx'
import { CaseDialogs, CaseSteps } from './case-steps.tsx'
import { CaseTimeline } from './case-timeline.tsx'
import { DocumentList } from './document-list.tsx'
import { NoteForm } from './note-form.tsx'
import { CaseDocument, type CaseQuery } from './queries.generated.ts'
import { SubjectLink } from '../../parts/subject-link.tsx'

type Case = NonNullable<CaseQuery['case']>

const endedStatuses = ['CLOSED', 'WITHDRAWN']

/** A case: what it is about, its deadline, what happened, and what comes next. */
export function CasePage() {
  const { caseId } = useParams({ from: '/cases/$caseId' })
  const isEmployee = useSession().person.partyId === null
  return (
    <Query query={CaseDocument} variables={{ caseId, isEmployee }}>
      {({ case: found }) => (found ? <Details key={caseId} case={found} /> : <NotFound />)}
    </Query>
  )
}

function Details({ case: each }: { case: Case }) {
  const { caseId, title, status, priority, clock, description } = each
  const isEmployee = useSession().person.partyId === null
  const may = useMay()
  const hasEnded = endedStatuses.includes(status)
  useChanges([`case/${caseId}`])
  return (
    <Page
      subject={`case/${caseId}`}
      title={title}
      lead={
        <Group gap="sm">
          <State value={status} />
          {!hasEnded && <CaseClock clock={clock} />}
          {isEmployee && priority !== 'NORMAL' && <span>{readable(priority)} priority</span>}
          <Id value={caseId} />
        </Group>
      }
      actions={may('cases:write') && <CaseSteps case={each} />}
    >
      <Stack gap="lg">
        <Section title="About" description={description}>
          <CaseFacts case={each} />
        </Section>
        {may('cases:write') && !hasEnded && (
          <Section title="New note">
            <NoteForm caseId={caseId} />
          </Section>
        )}
        <CaseTimeline caseId={caseId} />
        <DocumentList caseId={caseId} canAttach={!hasEnded} />
        {isEmployee && <Contacts case={each} />}
      </Stack>
      <CaseDialogs case={each} />
    </Page>
  )
}

function CaseFacts({ case: each }: { case: Case }) {
  const { caseType, party, assignee, queue, subjects, openedAt, outcome, clock } = each
  const isEmployee = useSession().person.partyId === null
  return (
    <Facts
      facts={[
        ['Type', readable(caseType)],
        ...(isEmployee
          ? ([
              ['Customer', party && <CustomerLink key="party" party={party} tab="cases" />],
              ['Assigned to', assignee?.name],
              ['Queue', queue?.name],
            ] as const)
          : []),
        ['Opened', <Time key="opened" value={openedAt} />],
        each.endedAt
          ? ['Ended', <Time key="ended" value={each.endedAt} />]
          : ['Due', <Deadline key="due" clock={clock} />],
        ['Overdue since', clock.breachedAt && <Time key="breached" value={clock.breachedAt} />],
        [
          'Concerns',
          subjects.length > 0 && (
            <Stack key="subjects" gap={2}>
              {subjects.map((subject) => (
                <SubjectLink key={subject} subject={subject} />
              ))}
            </Stack>
          ),
        ],
        ['Outcome', outcome],
      ]}
    />
  )
}

function Contacts({ case: { interactions } }: { case: Case }) {
  const contacts = interactions?.nodes ?? []
  return (
    <Section title="Contacts and tasks">
      {contacts.length === 0 && (
        <Empty>Nobody was contacted about this case. Log a contact in the contact center.</Empty>
      )}
      <Stack gap="xs">
        {contacts.map(({ interactionId, channel, subject, status, startedAt }) => (
          <Group key={interactionId} justify="space-between">
            <Group gap="sm">
              <AppLink to="/interactions/$interactionId" params={{ interactionId }}>
                {subject}
              </AppLink>
              <State value={status} />
            </Group>
            <Text size="sm" c="dimmed">
              {readable(channel)}, <Time value={startedAt} />
            </Text>
          </Group>
        ))}
      </Stack>
    </Section>
  )
}
