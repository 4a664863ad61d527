import { Group, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { FiguresComparison } from './figures-comparison.tsx'
import type { HardshipRequest } from './hardship-request.ts'
import { HardshipReview } from './hardship-review.tsx'
import {
  CancelHardshipRequestDocument,
  HardshipRequestDocument,
  ReviewHardshipRequestDocument,
} from './queries.generated.ts'

/** A borrower's request for relief, and the bank's decision on it. */
export function HardshipRequestPage() {
  const { hardshipRequestId } = useParams({ from: '/hardship/$hardshipRequestId' })
  return (
    <Query query={HardshipRequestDocument} variables={{ hardshipRequestId }}>
      {({ hardshipRequest: request }) =>
        request ? <RequestDetails request={request} /> : <NotFound />
      }
    </Query>
  )
}

function RequestDetails({ request }: { request: HardshipRequest }) {
  const { hardshipRequestId, loanId, type, status, before, after } = request
  useChanges([`hardship-request/${hardshipRequestId}`])
  const isEmployee = useSession().person.partyId === null
  const canDecide = useMay()('lending:write') && isEmployee && status === 'UNDER_REVIEW'
  return (
    <Page
      subject={`hardship-request/${hardshipRequestId}`}
      title={`Hardship request: ${readable(type).toLowerCase()}`}
      lead={<State value={status} />}
      actions={
        <>
          <LinkButton to="/loans/$loanId" params={{ loanId }} variant="default">
            Show the loan
          </LinkButton>
          <Actions request={request} />
        </>
      }
    >
      <Section title="Request">
        <Text mb="md">{request.reason}</Text>
        <Facts
          facts={[
            ['From', <Time key="from" value={request.requestedStartDate} />],
            ['Until', <Time key="until" value={request.requestedEndDate} />],
            ['Submitted', <Time key="submitted" value={request.submittedAt} />],
            ['Decision due by', <Time key="due" value={request.decisionDueBy} />],
            ['Decided', <Time key="decided" value={request.decidedAt} />],
            ['Reasons of the decline', request.declineReasons.map(readable).join(', ')],
            ['ID', <Id key="id" value={hardshipRequestId} />],
          ]}
        />
      </Section>
      {before && after && (
        <Section title="Relief granted">
          <FiguresComparison before={before} after={after} beforeName="Before" />
        </Section>
      )}
      {canDecide && <HardshipReview request={request} />}
    </Page>
  )
}

function Actions({ request: { hardshipRequestId, status } }: { request: HardshipRequest }) {
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  if (!may('lending:write')) return null
  return (
    <Group gap="sm">
      {['SUBMITTED', 'UNDER_REVIEW'].includes(status) && (
        <NotifyingButton
          variant="default"
          id={`cancel:${hardshipRequestId}`}
          mutation={CancelHardshipRequestDocument}
          variables={{ hardshipRequestId }}
          done="Request withdrawn"
        >
          Withdraw
        </NotifyingButton>
      )}
      {isEmployee && status === 'SUBMITTED' && (
        <NotifyingButton
          id={`start:${hardshipRequestId}`}
          mutation={ReviewHardshipRequestDocument}
          variables={{ input: { hardshipRequestId, action: 'START' as const } }}
          done="Review started"
        >
          Start the review
        </NotifyingButton>
      )}
    </Group>
  )
}
