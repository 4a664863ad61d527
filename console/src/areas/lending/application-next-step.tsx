import { Alert, Group, Stack, Text } from '@mantine/core'
import { formatMonths, formatRate, readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { Facts, Id, Money, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { AcceptTerms } from './accept-terms.tsx'
import { useLoanCosts } from './loan-costs.ts'
import type { Application } from './application.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import {
  AnswerCounterOfferDocument,
  SubmitApplicationDocument,
  WithdrawApplicationDocument,
  type TermsPartsFragment,
} from './queries.generated.ts'

/** What happens next with an application, and what the person can do about it. */
export function ApplicationNextStep({ application }: { application: Application }) {
  const { status, counterOffer } = application
  const isPending = status === 'SUBMITTED' || status === 'IN_REVIEW'
  if (status === 'DRAFT') return <Draft application={application} />
  if (isPending && counterOffer) return <CounterOffer application={application} />
  if (isPending) return <Pending application={application} />
  if (status === 'APPROVED') return <Offer application={application} />
  if (status === 'ACCEPTED' || status === 'BOOKED') return <Loan application={application} />
  return null
}

function Draft({ application: { applicationId } }: { application: Application }) {
  const may = useMay()
  return (
    <Section
      title="Submit the application"
      description="The bank decides on submitted applications."
    >
      {may('credit:submit') && (
        <Group>
          <NotifyingButton
            id={`submit:${applicationId}`}
            mutation={SubmitApplicationDocument}
            variables={{ input: { applicationId } }}
            done="Application submitted"
          >
            Submit
          </NotifyingButton>
          <Change applicationId={applicationId} />
          <Withdraw applicationId={applicationId} />
        </Group>
      )}
    </Section>
  )
}

function Pending({ application }: { application: Application }) {
  const { applicationId, informationRequested, decisionDueBy } = application
  const isEmployee = useSession().person.partyId === null
  const may = useMay()
  if (isEmployee && !informationRequested) return null
  return (
    <Alert
      color={informationRequested ? 'yellow' : 'blue'}
      title={
        informationRequested ? 'More information is needed' : 'The bank reviews the application'
      }
    >
      <Text size="sm">
        {informationRequested ?? (
          <>
            You learn of the decision by <Time value={decisionDueBy} /> at the latest.
          </>
        )}
      </Text>
      {may('credit:submit') && (
        <Group mt="sm">
          {informationRequested && (
            <>
              <Change applicationId={applicationId} />
              <NotifyingButton
                variant="default"
                id={`submit:${applicationId}`}
                mutation={SubmitApplicationDocument}
                variables={{ input: { applicationId } }}
                done="Application submitted"
              >
                Submit unchanged
              </NotifyingButton>
            </>
          )}
          <Withdraw applicationId={applicationId} />
        </Group>
      )}
    </Alert>
  )
}

/** Leads the applicant to the form; employees do not answer for applicants. */
function Change({ applicationId }: { applicationId: string }) {
  const isEmployee = useSession().person.partyId === null
  if (isEmployee) return null
  return (
    <LinkButton to="/applications/$applicationId/edit" variant="default" params={{ applicationId }}>
      Change and submit
    </LinkButton>
  )
}

const Withdraw = ({ applicationId }: { applicationId: string }) => (
  <NotifyingButton
    variant="default"
    id={`withdraw:${applicationId}`}
    mutation={WithdrawApplicationDocument}
    variables={{ applicationId }}
    done="Application withdrawn"
  >
    Withdraw
  </NotifyingButton>
)

/** What was approved, and what it costs if the loan is paid out today. */
function Terms({ terms, expires }: { terms: TermsPartsFragment; expires: string | null }) {
  const { amount, ratePct, termMonths } = terms
  const costs = useLoanCosts({ ...amount, ratePct, termMonths: termMonths ?? 0 }).data
  return (
    <Facts
      facts={[
        ['Amount', <Money key="amount" value={amount} />],
        ['Interest rate', formatRate(ratePct)],
        ['Term', termMonths && formatMonths(termMonths)],
        ['Valid until', <Time key="expires" value={expires} />],
        ['Monthly installment', costs && <Money key="installment" value={costs.installment} />],
        ['Total interest', costs && <Money key="interest" value={costs.totalInterest} />],
        ['Total to pay', costs && <Money key="total" value={costs.totalPayment} />],
      ]}
    />
  )
}

function CounterOffer({ application }: { application: Application }) {
  const { applicationId, counterOffer, offerExpiresAt } = application
  const may = useMay()
  return (
    <Section
      title="The bank offers other terms"
      description="The bank cannot lend what was asked for, but it can lend this."
    >
      <Stack>
        {counterOffer && <Terms terms={counterOffer} expires={offerExpiresAt ?? null} />}
        {may('loans:accept') && (
          <Group>
            {[true, false].map((isTaken) => (
              <NotifyingButton
                key={String(isTaken)}
                variant={isTaken ? 'filled' : 'default'}
                id={`counter-offer:${applicationId}:${isTaken}`}
                mutation={AnswerCounterOfferDocument}
                variables={{ applicationId, isTaken }}
                done={isTaken ? 'Counter-offer accepted' : 'Counter-offer rejected'}
              >
                {isTaken ? 'Take the offer' : 'Reject the offer'}
              </NotifyingButton>
            ))}
          </Group>
        )}
      </Stack>
    </Section>
  )
}

function Offer({ application }: { application: Application }) {
  const { approvedTerms, offerExpiresAt, termsHash, conditions } = application
  const may = useMay()
  const open = conditions.filter(({ status }) => status === 'OPEN')
  return (
    <Section title="Approved terms" description="The loan is set up when these terms are accepted.">
      <Stack>
        {approvedTerms && <Terms terms={approvedTerms} expires={offerExpiresAt ?? null} />}
        {termsHash && (
          <Text size="sm" component="div">
            These terms are identified by the hash <Id value={termsHash} />
          </Text>
        )}
        {open.length > 0 ? (
          <Alert color="yellow" title="Conditions are open">
            {open.map(({ code, description }) => description ?? code).join(' · ')}
          </Alert>
        ) : (
          may('loans:accept') && <AcceptTerms application={application} />
        )}
      </Stack>
    </Section>
  )
}

function Loan({ application }: { application: Application }) {
  const { loanId, status, bookingError, acceptances, coolingOffEndsOn, facility } = application
  const may = useMay()
  const [acceptance] = acceptances
  const isUndrawn = facility?.state === 'APPROVED' && Number(facility.available.amount) > 0
  return (
    <Section
      title={status === 'BOOKED' ? 'The loan is set up' : 'The loan is being set up'}
      description={
        status === 'ACCEPTED' &&
        'The agreement is signed and the loan is opened. This takes seconds.'
      }
      actions={
        status === 'BOOKED' &&
        loanId && (
          <>
            <LinkButton to="/loans/$loanId" params={{ loanId }} variant="default">
              Show the loan
            </LinkButton>
            {isUndrawn && may('lending:write') && (
              <LinkButton to="/facilities/$facilityId/drawdown" params={{ facilityId: loanId }}>
                Pay out the loan
              </LinkButton>
            )}
          </>
        )
      }
    >
      {bookingError && (
        <Alert color="red" title="The loan could not be set up yet">
          {bookingError}
        </Alert>
      )}
      <Facts
        facts={[
          ['Accepted', <Time key="accepted" value={acceptance?.acceptedAt} />],
          ['Channel', acceptance && readable(acceptance.acceptanceChannel)],
          ['Withdrawal without a reason until', <Time key="end" value={coolingOffEndsOn} />],
          ['Hash of the terms', acceptance && <Id key="hash" value={acceptance.termsHash} />],
        ]}
      />
    </Section>
  )
}
