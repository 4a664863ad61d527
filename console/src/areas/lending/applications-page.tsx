import { useQuery } from '@apollo/client/react'
import { SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { formatMonths, readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  LoanApplicationsDocument,
  type LoanApplicationsQuery,
  type LoanApplicationsQueryVariables,
} from './queries.generated.ts'

type Application = NonNullable<LoanApplicationsQuery['loanApplications']>['nodes'][number]

const statuses = ['SUBMITTED', 'IN_REVIEW', 'APPROVED', 'ACCEPTED', 'BOOKED', 'DECLINED', 'DRAFT']

const columnsFor = (isEmployee: boolean): readonly Column<Application>[] => [
  {
    title: 'Application',
    cell: ({ applicationId, customer, purpose }) => (
      <AppLink to="/applications/$applicationId" params={{ applicationId }}>
        {(isEmployee && customer?.party?.displayName) || purpose || 'Loan application'}
      </AppLink>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Submitted', cell: ({ submittedAt }) => <Time value={submittedAt} /> },
  ...(isEmployee
    ? [
        {
          title: 'Decide by',
          cell: ({ decisionDueBy }: Application) => <Time value={decisionDueBy} />,
        },
      ]
    : []),
  {
    title: 'Term',
    isNumeric: true,
    cell: ({ termMonths }) => termMonths && formatMonths(termMonths),
  },
  {
    title: 'Amount',
    isNumeric: true,
    cell: ({ requestedAmount }) => <Money value={requestedAmount} />,
  },
]

/** The loan applications of the bank by status, or those of a customer. */
export function ApplicationsPage() {
  const { after, status } = useSearch({ from: '/applications' })
  const navigate = useNavigate({ from: '/applications' })
  useChangesOfType(['lending.loan-application.*'])
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  const shown = status ?? (isEmployee ? 'SUBMITTED' : 'ALL')
  const variables = {
    status: shown === 'ALL' ? null : shown,
    after: after ?? null,
  } as LoanApplicationsQueryVariables
  const { data, previousData, error, refetch } = useQuery(LoanApplicationsDocument, { variables })
  return (
    <Page
      title="Applications"
      lead={
        isEmployee ? 'Loan applications to review and decide.' : 'Your applications for a loan.'
      }
      actions={
        !isEmployee &&
        may('credit:submit') && <LinkButton to="/applications/new">Apply for a loan</LinkButton>
      }
    >
      <SegmentedControl
        aria-label="Status"
        className="scrolling-x"
        data={['ALL', ...statuses].map((value) => ({ value, label: readable(value) }))}
        value={shown}
        onChange={(value) => void navigate({ search: { status: value } })}
      />
      <Section title={shown === 'ALL' ? 'All applications' : readable(shown)}>
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Applications"
          connection={(data ?? previousData)?.loanApplications}
          columns={columnsFor(isEmployee)}
          keyOf={({ applicationId }) => applicationId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty={
            isEmployee
              ? 'No application has this status. Choose another status above.'
              : 'You have no such application. You can apply for a loan.'
          }
        />
      </Section>
    </Page>
  )
}
