import { Group, Stack } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { panelsAt } from '../../app/extensions.ts'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { formatRate, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Figure, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { AmountBar } from './amount-bar.tsx'
import { FacilityActions } from './facility-actions.tsx'
import { FacilityHistory } from './facility-history.tsx'
import { nameOfFacility } from './facility-link.tsx'
import { FloatingRate } from './floating-rate.tsx'
import { LateCharges } from './late-charges.tsx'
import { PayoffQuote } from './payoff-quote.tsx'
import { FacilityDetailsDocument, type FacilityDetailsQuery } from './queries.generated.ts'
import { ScheduleSection } from './schedule-section.tsx'
import { FacilityCoverage } from './facility-coverage.tsx'

export type Facility = NonNullable<FacilityDetailsQuery['facility']>

/** A loan. A loan is a facility that is repaid in installments. */
export function LoanPage() {
  const { loanId } = useParams({ from: '/loans/$loanId' })
  return <FacilityById facilityId={loanId} />
}

/** A facility: what may be drawn, what is owed, and how it is repaid. */
export function FacilityPage() {
  const { facilityId } = useParams({ from: '/facilities/$facilityId' })
  return <FacilityById facilityId={facilityId} />
}

const FacilityById = ({ facilityId }: { facilityId: string }) => (
  <Query query={FacilityDetailsDocument} variables={{ facilityId }}>
    {({ facility }) => (facility ? <FacilityDetails facility={facility} /> : <NotFound />)}
  </Query>
)

function FacilityDetails({ facility }: { facility: Facility }) {
  const { facilityId, kind, state, limit, available, outstandingPrincipal } = facility
  const accountId = facility.settlementArrangement?.arrangementId
  // An installment that is collected changes the account, but not the terms of the facility.
  useChanges([`facility/${facilityId}`, ...(accountId ? [`balance/${accountId}`] : [])])
  const isEmployee = useSession().person.partyId === null
  const borrower = facility.customer?.party
  return (
    <Page
      subject={`facility/${facility.facilityId}`}
      title={nameOfFacility(facility)}
      lead={
        <Group gap="sm">
          {isEmployee && borrower && <span>{borrower.displayName}</span>}
          <State value={state} />
          {facility.delinquency.stage !== 'CURRENT' && <State value={facility.delinquency.stage} />}
        </Group>
      }
      actions={<FacilityActions facility={facility} />}
    >
      <KeyFigures facility={facility} />
      {(kind === 'REVOLVING' || Number(available.amount) > 0) && (
        <Section title={kind === 'REVOLVING' ? 'Credit limit' : 'Not drawn yet'}>
          <AmountBar
            label="Use of the limit"
            total={limit}
            parts={[
              { name: 'Used', value: outstandingPrincipal, look: 'used' },
              { name: 'Available', value: available, look: 'available' },
            ]}
          />
        </Section>
      )}
      <ScheduleSection facility={facility} />
      <FloatingRate facility={facility} />
      <LateCharges facility={facility} />
      <PayoffQuote facilityId={facilityId} />
      <FacilityHistory facilityId={facilityId} kind={kind} openedOn={facility.openedOn} />
      <FacilityCoverage facilityId={facilityId} />
      <FacilityFacts facility={facility} />
      <Stack>
        {panelsAt('loan.overview').map((Panel, index) => (
          <Panel key={index} loanId={facilityId} />
        ))}
      </Stack>
    </Page>
  )
}

function KeyFigures({ facility }: { facility: Facility }) {
  const { nextInstallment: next, delinquency, currentRatePct, costOfCredit, amountDue } = facility
  const isLate = Number(delinquency.arrears.amount) > 0
  return (
    <div className="figures">
      <Figure
        name="Outstanding"
        value={<Money value={facility.outstandingPrincipal} />}
        hint={
          <>
            of <Money value={facility.limit} />
          </>
        }
      />
      <Figure
        name="Next installment"
        value={<Money value={next?.payment} />}
        hint={
          next && (
            <>
              due on <Time value={next.dueDate} />
            </>
          )
        }
      />
      <Figure
        name="Interest rate"
        value={formatRate(currentRatePct)}
        hint={
          costOfCredit?.annualPercentageRate && (
            <>APR {formatRate(costOfCredit.annualPercentageRate)}</>
          )
        }
      />
      {isLate ? (
        <Figure
          name="In arrears"
          value={<Money value={delinquency.arrears} />}
          hint={`${delinquency.daysPastDue} days past due · ${readable(delinquency.stage)}`}
        />
      ) : (
        <Figure
          name="Due now"
          value={<Money value={amountDue} />}
          hint={
            <>
              Accrued interest: <Money value={facility.accruedInterest} />
            </>
          }
        />
      )}
    </div>
  )
}

function FacilityFacts({ facility }: { facility: Facility }) {
  const { costOfCredit, settlementArrangement: account, applicationId } = facility
  const may = useMay()
  return (
    <Section title="Details">
      <Facts
        facts={[
          ['Kind', readable(facility.kind)],
          ['Opened', <Time key="opened" value={facility.openedOn} />],
          ['Can be drawn until', <Time key="to" value={facility.availableTo} />],
          ['Last installment', <Time key="maturity" value={facility.maturityDate} />],
          ['Total interest', <Money key="interest" value={costOfCredit?.totalInterest} />],
          ['Total to pay', <Money key="total" value={costOfCredit?.totalPayable} />],
          ['Fees charged', <Money key="fees" value={costOfCredit?.upfrontFeesCharged} />],
          [
            'Settlement account',
            account && may('accounts:read') && (
              <AppLink
                key="account"
                to="/accounts/$arrangementId"
                params={{ arrangementId: account.arrangementId }}
              >
                {account.accountNumber}
              </AppLink>
            ),
          ],
          [
            'Application',
            applicationId && (
              <AppLink
                key="application"
                to="/applications/$applicationId"
                params={{ applicationId }}
              >
                Loan application
              </AppLink>
            ),
          ],
          ['ID', <Id key="id" value={facility.facilityId} />],
        ]}
      />
    </Section>
  )
}
