import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { formatRate, readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { FacilityLink } from './facility-link.tsx'
import {
  FacilitiesDocument,
  type FacilitiesQueryVariables,
  type FacilityRowFragment,
} from './queries.generated.ts'

const columnsFor = (isEmployee: boolean): readonly Column<FacilityRowFragment>[] => [
  { title: 'Loan', cell: (facility) => <FacilityLink facility={facility} /> },
  ...(isEmployee
    ? [
        {
          title: 'Borrower',
          cell: ({ customer }: FacilityRowFragment) => customer?.party?.displayName,
        },
      ]
    : []),
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Rate', isNumeric: true, cell: ({ currentRatePct }) => formatRate(currentRatePct) },
  { title: 'Amount', isNumeric: true, cell: ({ limit }) => <Money value={limit} /> },
  {
    title: 'Outstanding',
    isNumeric: true,
    cell: ({ outstandingPrincipal }) => <Money value={outstandingPrincipal} />,
  },
  {
    title: 'Next installment',
    isNumeric: true,
    cell: ({ nextInstallment: next }) =>
      next && (
        <>
          <Money value={next.payment} /> · <Time value={next.dueDate} />
        </>
      ),
  },
]

const kinds = ['CONSUMER_LOAN', 'MORTGAGE', 'SME_FACILITY', 'REVOLVING']
const states = [
  'APPROVED',
  'ACTIVE',
  'IN_ARREARS',
  'MATURED',
  'PAID_OFF',
  'CHARGED_OFF',
  'RECOVERED',
  'WRITTEN_OFF',
  'CANCELLED',
]

const options = (values: readonly string[]) =>
  values.map((value) => ({ value, label: readable(value) }))

/** The loans and credit lines of the bank, or those of a customer. */
export function LoansPage() {
  const { after, kind, state } = useSearch({ from: '/loans' })
  const navigate = useNavigate({ from: '/loans' })
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  const { data, previousData, error, refetch } = useQuery(FacilitiesDocument, {
    variables: {
      kind: kind ?? null,
      state: state ?? null,
      after: after ?? null,
    } as FacilitiesQueryVariables,
  })
  const filter = (name: 'kind' | 'state') => (value: string) =>
    void navigate({ search: (old) => ({ ...old, after: undefined, [name]: value || undefined }) })
  return (
    <Page
      title="Loans"
      lead={
        isEmployee ? 'Loans and credit lines of all customers.' : 'Your loans and credit lines.'
      }
      actions={
        !isEmployee &&
        may('credit:submit') && <LinkButton to="/applications/new">Apply for a loan</LinkButton>
      }
    >
      <Section
        title="Loans and credit lines"
        actions={
          <>
            <SelectFilter
              label="Kind"
              isLabelHidden
              all="All kinds"
              data={options(kinds)}
              value={kind}
              onChange={filter('kind')}
            />
            <SelectFilter
              label="State"
              isLabelHidden
              all="All states"
              data={options(states)}
              value={state}
              onChange={filter('state')}
            />
          </>
        }
      >
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Loans and credit lines"
          connection={(data ?? previousData)?.facilities}
          columns={columnsFor(isEmployee)}
          keyOf={({ facilityId }) => facilityId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty={
            isEmployee
              ? 'There are no such loans.'
              : 'You have no such loan. You can apply for one.'
          }
        />
      </Section>
    </Page>
  )
}
