import { useNavigate } from '@tanstack/react-router'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ApplicationForm } from './application-form.tsx'
import { creditOffersOf } from './credit-offers.ts'
import { ApplicantDocument, OfferedCreditDocument } from './queries.generated.ts'

/** A customer applies for a loan. */
export function ApplyPage() {
  const navigate = useNavigate()
  return (
    <Page
      title="Apply for a loan"
      lead="Choose an amount and a term. You see at once what the loan would cost."
    >
      <Query query={ApplicantDocument} variables={{}}>
        {({ me }) => (
          <Query query={OfferedCreditDocument} variables={{}}>
            {({ productOffers }) => {
              const customer = me?.customers?.find(({ status }) => status === 'ACTIVE')
              const offers = creditOffersOf(productOffers?.nodes ?? [])
              if (!customer) return <Nothing>You are not an active customer of the bank.</Nothing>
              if (offers.length === 0) return <Nothing>The bank offers no loans now.</Nothing>
              return (
                <ApplicationForm
                  customerId={customer.customerId}
                  offers={offers}
                  accounts={me?.accounts ?? []}
                  onCancel={() => void navigate({ to: '/applications' })}
                />
              )
            }}
          </Query>
        )}
      </Query>
    </Page>
  )
}

const Nothing = ({ children }: { children: string }) => (
  <Section title="No application is possible">
    <Empty>{children}</Empty>
  </Section>
)
