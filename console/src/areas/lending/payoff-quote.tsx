import { TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Empty, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Money } from '../../parts/values.tsx'
import { PayoffQuoteDocument } from './queries.generated.ts'

/** What repays a facility in full on a day that the person chooses. */
export function PayoffQuote({ facilityId }: { facilityId: string }) {
  const { payoff } = useSearch({ strict: false })
  const navigate = useNavigate()
  return (
    <Section
      title="Payoff amount"
      description="The amount that repays everything on one day."
      actions={
        <TextInput
          type="date"
          aria-label="Payoff date"
          value={payoff ?? ''}
          onChange={({ currentTarget: { value } }) =>
            void navigate({
              to: '.',
              search: (old) => ({ ...old, payoff: value || undefined }),
              replace: true,
              resetScroll: false,
            })
          }
        />
      }
    >
      <Query query={PayoffQuoteDocument} variables={{ facilityId, on: payoff ?? null }}>
        {({ facility }) => {
          const quote = facility?.payoffQuote
          if (!quote) return <Empty>Nothing is owed.</Empty>
          return (
            <Facts
              facts={[
                [
                  payoff ? 'To pay on this day' : 'To pay today',
                  <strong key="total">
                    <Money value={quote.total} />
                  </strong>,
                ],
                ['Principal', <Money key="principal" value={quote.principal} />],
                ['Interest to this day', <Money key="interest" value={quote.interest} />],
                ['Late charges', <Money key="late" value={quote.lateCharges} />],
                ['Of it due by this day', <Money key="due" value={quote.due} />],
              ]}
            />
          )
        }}
      </Query>
    </Section>
  )
}
