import { Alert, Group, Stepper, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { formatMonths, readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import type { Application } from './application.ts'
import { ApplicationNextStep } from './application-next-step.tsx'
import { ApplicationReview } from './application-review.tsx'
import { Decisions } from './decisions.tsx'
import { ApplicationDocument } from './queries.generated.ts'

/** A loan application, from the draft to the loan. */
export function ApplicationPage() {
  const { applicationId } = useParams({ from: '/applications/$applicationId' })
  return (
    <Query query={ApplicationDocument} variables={{ applicationId }}>
      {({ loanApplication: application }) =>
        application ? <ApplicationDetails application={application} /> : <NotFound />
      }
    </Query>
  )
}

function ApplicationDetails({ application }: { application: Application }) {
  const { applicationId, status, customer, requestedAmount } = application
  const isEmployee = useSession().person.partyId === null
  useChanges([`loan-application/${applicationId}`])
  return (
    <Page
      subject={`loan-application/${applicationId}`}
      title="Loan application"
      lead={
        <Group gap="sm">
          {isEmployee && customer?.party && <CustomerLink party={customer.party} />}
          <Money value={requestedAmount} />
          <State value={status} />
        </Group>
      }
    >
      <Progress application={application} />
      <ApplicationNextStep application={application} />
      {isEmployee && <ApplicationReview application={application} />}
      <Request application={application} />
      {application.checks.length > 0 && <Checks application={application} />}
      <Decisions application={application} />
    </Page>
  )
}

const steps = [
  ['DRAFT', 'Draft'],
  ['SUBMITTED', 'Submitted'],
  ['IN_REVIEW', 'In review'],
  ['APPROVED', 'Approved'],
  ['ACCEPTED', 'Accepted'],
  ['BOOKED', 'Loan set up'],
] as const

function Progress({ application: { status, closureReason } }: { application: Application }) {
  if (status === 'DECLINED') {
    return (
      <Alert color="gray" title="This application is closed">
        {closureReason ? readable(closureReason) : 'It did not lead to a loan.'}
      </Alert>
    )
  }
  const active = steps.findIndex(([name]) => name === status)
  return (
    <Stepper
      active={status === 'BOOKED' ? steps.length : active}
      size="xs"
      iconSize={26}
      className="steps"
      aria-label="Progress"
    >
      {steps.map(([name, label]) => (
        <Stepper.Step key={name} label={label} />
      ))}
    </Stepper>
  )
}

function Request({ application }: { application: Application }) {
  const { termMonths, employedMonths } = application
  const isEmployee = useSession().person.partyId === null
  return (
    <Section title="Request">
      <Facts
        facts={[
          ['Amount', <Money key="amount" value={application.requestedAmount} />],
          ['Term', termMonths && formatMonths(termMonths)],
          ['Purpose', application.purpose],
          ['Net monthly income', <Money key="income" value={application.monthlyIncome} />],
          [
            'Monthly payments on debts',
            <Money key="debts" value={application.monthlyObligations} />,
          ],
          ['In this employment', employedMonths !== null && formatMonths(employedMonths)],
          [
            'Documents',
            application.documents.length > 0 ? (
              <Group key="documents" gap="xs">
                {application.documents.map((documentId) => (
                  <AppLink key={documentId} to="/documents/$documentId" params={{ documentId }}>
                    {documentId}
                  </AppLink>
                ))}
              </Group>
            ) : null,
          ],
          ...(isEmployee ? [['Decision mode', readable(application.decisionMode)] as const] : []),
          ['Submitted', <Time key="submitted" value={application.submittedAt} />],
          ['Decision due by', <Time key="due" value={application.decisionDueBy} />],
          ['ID', <Id key="id" value={application.applicationId} />],
        ]}
      />
    </Section>
  )
}

function Checks({ application }: { application: Application }) {
  return (
    <Section title="Checks" description="What was checked when the application was submitted.">
      <Group gap="lg">
        {application.checks.map(({ code, status }) => (
          <Group key={code} gap="xs">
            <Text size="sm">{readable(code)}</Text>
            <State value={status} />
          </Group>
        ))}
      </Group>
    </Section>
  )
}
