import { Stack } from '@mantine/core'
import { Empty, Section } from '../../parts/page.tsx'
import { OfferTable } from './offer-table.tsx'

/** The offers that were made to a customer; a person can be a customer more than once. */
export function CustomerOffers({ customers }: { customers: readonly { customerId: string }[] }) {
  return (
    <Section title="Offers" description="Offers to this customer, not those to everyone.">
      {customers.length === 0 && (
        <Empty>Only customers get offers. First make a customer of this person.</Empty>
      )}
      <Stack>
        {customers.map(({ customerId }) => (
          <OfferTable
            key={customerId}
            filter={{ customerId }}
            empty="Nothing was offered to this customer. Make an offer on the page of a product."
          />
        ))}
      </Stack>
    </Section>
  )
}
