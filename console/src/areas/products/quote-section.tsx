import { useQuery } from '@apollo/client/react'
import { Alert, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { useMay } from '../../session/session.ts'
import { OfferForm } from './offer-form.tsx'
import { QuoteFields } from './quote-fields.tsx'
import { inputOf, valuesFor, type QuoteValues } from './quote-input.ts'
import { QuoteTerms } from './quote-terms.tsx'
import {
  CreateQuoteDocument,
  PreviewQuoteDocument,
  SavedQuoteDocument,
  type VersionPartsFragment,
} from './queries.generated.ts'

/** The price of a version for an amount and a term, calculated while a person types. */
export function QuoteSection({
  version,
  versions,
}: {
  version: VersionPartsFragment
  versions: readonly VersionPartsFragment[]
}) {
  const [values, setValues] = useState<QuoteValues>(() => valuesFor(version))
  const { quote } = useSearch({ from: '/products/$productId' })
  return (
    <Stack gap="lg">
      {quote && <SavedQuote pricingQuoteId={quote} />}
      <div className="quote">
        <Section title="Request" description={`Version ${version.version}`}>
          <QuoteForm
            key={version.version}
            version={version}
            versions={versions}
            onValues={setValues}
          />
        </Section>
        <PricePreview productId={version.productId} values={values} />
      </div>
    </Stack>
  )
}

interface QuoteFormProps {
  version: VersionPartsFragment
  versions: readonly VersionPartsFragment[]
  onValues: (values: QuoteValues) => void
}

function QuoteForm({ version, versions, onValues }: QuoteFormProps) {
  const { productId } = version
  const navigate = useNavigate({ from: '/products/$productId' })
  const canSave = useMay()('products:write')
  return (
    <CommandForm
      id={`quote:${productId}:${version.version}`}
      mutation={CreateQuoteDocument}
      initialValues={valuesFor(version)}
      variables={(values) => ({ input: inputOf(productId, values) })}
      fieldOf={(pointer) => (pointer.includes('amount') ? 'amount' : pointer.split('/').at(-1))}
      submitLabel="Save the quote"
      isSubmitHidden={!canSave}
      onDone={({ createPricingQuote: { pricingQuoteId } }) =>
        void navigate({ search: (old) => ({ ...old, quote: pricingQuoteId }) })
      }
    >
      {(form) => <QuoteFields form={form} versions={versions} onValues={onValues} />}
    </CommandForm>
  )
}

function PricePreview({ productId, values }: { productId: string; values: QuoteValues }) {
  const [typed] = useDebouncedValue(JSON.stringify(inputOf(productId, values)), 250)
  const { data, previousData, error, loading } = useQuery(PreviewQuoteDocument, {
    variables: { input: JSON.parse(typed) as ReturnType<typeof inputOf> },
    fetchPolicy: 'network-only',
  })
  const quote = (data ?? (loading ? previousData : undefined))?.previewPricingQuote
  return (
    <Section title="Price" description="Calculated while you type. Nothing is stored yet.">
      {error && <ProblemAlert error={error} />}
      {!quote && !error && <Lines count={6} />}
      {quote && !error && (
        <div aria-live="polite">
          <QuoteTerms quote={quote} />
        </div>
      )}
    </Section>
  )
}

function SavedQuote({ pricingQuoteId }: { pricingQuoteId: string }) {
  const { data, error } = useQuery(SavedQuoteDocument, { variables: { pricingQuoteId } })
  const quote = data?.pricingQuote
  const canOffer = useMay()('products:write')
  return (
    <Section title="Saved quote" description={pricingQuoteId}>
      {error && <ProblemAlert error={error} />}
      {data && !quote && <Empty>There is no such quote. Save one below.</Empty>}
      {quote && (
        <Stack>
          <QuoteTerms quote={quote} />
          {canOffer ? (
            <OfferForm quote={quote} />
          ) : (
            <Alert color="gray">Product managers make offers from quotes.</Alert>
          )}
        </Stack>
      )}
    </Section>
  )
}
