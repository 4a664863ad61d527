import { Group, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { CreateOfferDocument, type SavedQuoteQuery } from './queries.generated.ts'

type Quote = NonNullable<SavedQuoteQuery['pricingQuote']>

/** Makes a draft offer from a saved quote, for its customer or for everyone. */
export function OfferForm({ quote }: { quote: Quote }) {
  const { pricingQuoteId, productId, productVersion, customerId } = quote
  const navigate = useNavigate({ from: '/products/$productId' })
  return (
    <CommandForm
      id={`offer:${pricingQuoteId}`}
      mutation={CreateOfferDocument}
      initialValues={{ channel: '', validTo: '' }}
      variables={({ channel, validTo }) => ({
        input: {
          productId,
          version: productVersion,
          pricingQuoteId,
          ...(customerId && { customerId }),
          ...(channel.trim() && { channel: channel.trim() }),
          ...(validTo && { validTo: `${validTo}T23:59:59Z` }),
        },
      })}
      submitLabel={customerId ? 'Offer to the customer' : 'Offer to everyone'}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'The offer is a draft. Publish it next.' })
        void navigate({ search: ({ version }) => ({ version, tab: 'offers' }) })
      }}
    >
      {(form) => (
        <Group align="flex-start">
          <TextInput label="Channel" placeholder="web" {...form.getInputProps('channel')} />
          <TextInput
            type="date"
            label="Valid until"
            description="At most as long as the quote"
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            {...form.getInputProps('validTo')}
          />
        </Group>
      )}
    </CommandForm>
  )
}
