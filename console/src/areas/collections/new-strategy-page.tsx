import { SegmentedControl, Select, SimpleGrid, Stack, TagsInput, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import {
  CollectionsStrategyDocument,
  ProposeCollectionsStrategyDocument,
  type CollectionsStrategyPartsFragment,
} from './queries.generated.ts'
import { StepFields } from './step-fields.tsx'
import {
  errorsOf,
  inputOf,
  optionsOf,
  segments,
  valuesOf,
  type StrategyValues,
} from './strategy-values.ts'

const scopes = [
  { value: 'ALL', label: 'All contracts' },
  { value: 'SEGMENT', label: 'A segment' },
  { value: 'PRODUCT', label: 'A product' },
]

/** Proposes a strategy, which another person approves; `from` names the version that it begins with. */
export function NewStrategyPage() {
  const { from } = useSearch({ from: '/collections-strategies/new' })
  if (!from) return <StrategyForm former={null} />
  return (
    <Query query={CollectionsStrategyDocument} variables={{ collectionsStrategyId: from }}>
      {({ collectionsStrategy }) => <StrategyForm former={collectionsStrategy ?? null} />}
    </Query>
  )
}

function StrategyForm({ former }: { former: CollectionsStrategyPartsFragment | null }) {
  const navigate = useNavigate()
  return (
    <Page
      title="New collections strategy"
      lead="Another person approves it. It applies from the next night on, also to arrears that are pursued already."
    >
      <Section title="Strategy">
        <CommandForm
          id={`collections-strategy:${former?.collectionsStrategyId ?? ''}`}
          mutation={ProposeCollectionsStrategyDocument}
          initialValues={valuesOf(former)}
          validate={errorsOf}
          variables={(values) => ({ input: inputOf(values) })}
          fieldOf={(pointer) => pointer.replace(/^\/(input\/)?/, '').replaceAll('/', '.')}
          fieldOfCode={{ PRODUCT_NOT_FOUND: 'productId', INVALID_AMOUNT: 'minimumAmounts' }}
          submitLabel="Propose the strategy"
          onCancel={() => void navigate({ to: '/collections', search: { tab: 'strategies' } })}
          onDone={({ proposeCollectionsStrategy: { collectionsStrategyId } }) =>
            void navigate({
              to: '/collections-strategies/$collectionsStrategyId',
              params: { collectionsStrategyId },
            })
          }
        >
          {(form) => <StrategyFields form={form} />}
        </CommandForm>
      </Section>
    </Page>
  )
}

function StrategyFields({ form }: { form: UseFormReturnType<StrategyValues> }) {
  const { scope } = form.values
  return (
    <Stack maw={800}>
      <SegmentedControl aria-label="For" data={scopes} {...form.getInputProps('scope')} />
      {scope === 'SEGMENT' && (
        <Select
          label="Segment"
          allowDeselect={false}
          data={optionsOf(segments)}
          {...form.getInputProps('segment')}
        />
      )}
      {scope === 'PRODUCT' && (
        <TextInput label="Product ID" required {...form.getInputProps('productId')} />
      )}
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        <TextInput
          type="date"
          label="Applies from"
          description="Empty for today."
          {...form.getInputProps('effectiveFrom')}
        />
        <TextInput
          label="Days between letters"
          description="From 1 to 365."
          inputMode="numeric"
          required
          {...form.getInputProps('daysBetweenLetters')}
        />
      </SimpleGrid>
      <TagsInput
        label="Minimum amounts"
        description="Nothing is pursued below, such as 20.00 EUR. Press Enter after each."
        {...form.getInputProps('minimumAmounts')}
      />
      <StepFields form={form} />
      <TextInput label="Reason" required {...form.getInputProps('reason')} />
    </Stack>
  )
}
