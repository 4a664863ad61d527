import { useNavigate, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotFound } from '../../app/faults.tsx'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { useMay } from '../../session/session.ts'
import { isEditable } from './application.ts'
import { ApplicationForm } from './application-form.tsx'
import type { Applicant } from './application-values.ts'
import { creditOffersOf, type CreditOffer } from './credit-offers.ts'
import {
  ApplicantDocument,
  ApplicationDocument,
  OfferedCreditDocument,
} from './queries.generated.ts'

/** A customer applies for a loan. */
export function ApplyPage() {
  const navigate = useNavigate()
  return (
    <Page
      title="Apply for a loan"
      lead="Choose an amount and a term. You see at once what the loan would cost."
    >
      <ApplicantQuery>
        {(applicant, offers) => (
          <ApplicationForm
            applicant={applicant}
            offers={offers}
            onCancel={() => void navigate({ to: '/applications' })}
          />
        )}
      </ApplicantQuery>
    </Page>
  )
}

/** A customer changes an application that was not submitted yet or was returned, and submits it. */
export function EditApplicationPage() {
  const params = useParams({ from: '/applications/$applicationId/edit' })
  const navigate = useNavigate()
  return (
    <Query query={ApplicationDocument} variables={params}>
      {({ loanApplication: application }) => {
        if (!application) return <NotFound />
        return (
          <Page title="Change the application" lead={application.informationRequested}>
            {isEditable(application) ? (
              <ApplicantQuery>
                {(applicant, offers) => (
                  <ApplicationForm
                    applicant={applicant}
                    offers={offers}
                    application={application}
                    onCancel={() => void navigate({ to: '/applications/$applicationId', params })}
                  />
                )}
              </ApplicantQuery>
            ) : (
              <Nothing>The bank is deciding on the application, or has decided on it.</Nothing>
            )}
          </Page>
        )
      }}
    </Query>
  )
}

/** Shows a form for the person's own application, if the person can apply. */
function ApplicantQuery({
  children,
}: {
  children: (applicant: Applicant, offers: readonly CreditOffer[]) => ReactNode
}) {
  const may = useMay()
  return (
    <Query query={ApplicantDocument} variables={{ withDocuments: may('cases:read') }}>
      {({ me }) => (
        <Query query={OfferedCreditDocument} variables={{}}>
          {({ productOffers }) => {
            const customer = me?.customers?.find(({ status }) => status === 'ACTIVE')
            const offers = creditOffersOf(productOffers?.nodes ?? [])
            if (!customer) return <Nothing>You are not an active customer of the bank.</Nothing>
            if (offers.length === 0) return <Nothing>The bank offers no loans now.</Nothing>
            const { customerId } = customer
            const documents = me?.documents?.nodes ?? []
            return children({ customerId, accounts: me?.accounts ?? [], documents }, offers)
          }}
        </Query>
      )}
    </Query>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <Section title="No application is possible">
    <Empty>{children}</Empty>
  </Section>
)
