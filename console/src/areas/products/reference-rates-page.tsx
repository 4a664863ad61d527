import { useQuery } from '@apollo/client/react'
import { Button, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { CommandForm } from '../../parts/command-form.tsx'
import { useDialog } from '../../parts/dialog.ts'
import { formatRate } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Missing, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  CreateReferenceRateDocument,
  ReferenceRatesDocument,
  type ReferenceRatePartsFragment,
} from './queries.generated.ts'

const columns: readonly Column<ReferenceRatePartsFragment>[] = [
  {
    title: 'Reference rate',
    cell: ({ referenceRateId, name }) => (
      <AppLink to="/reference-rates/$referenceRateId" params={{ referenceRateId }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'ID', cell: ({ referenceRateId }) => <Id value={referenceRateId} /> },
  {
    title: 'Last fixing',
    isNumeric: true,
    cell: ({ latestFixing }) => (latestFixing ? formatRate(latestFixing.ratePct) : <Missing />),
  },
  {
    title: 'Fixed on',
    cell: ({ latestFixing }) =>
      latestFixing ? <Time value={latestFixing.fixedOn} /> : <Missing />,
  },
]

/** The published rates to which the rates of products are tied. */
export function ReferenceRatesPage() {
  const { after } = useSearch({ from: '/reference-rates' })
  const navigate = useNavigate({ from: '/reference-rates' })
  const { dialog, open } = useDialog()
  useChangesOfType(['products.reference-rate.*'])
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(ReferenceRatesDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Page
      title="Reference rates"
      lead="Published rates that loans and savings follow."
      actions={
        may('products:write') && <Button onClick={() => open('new')}>New reference rate</Button>
      }
    >
      <Section title="Reference rates">
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Reference rates"
          connection={(data ?? previousData)?.referenceRates}
          columns={columns}
          keyOf={({ referenceRateId }) => referenceRateId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="There is no reference rate. Products that follow one need it."
        />
      </Section>
      <Modal opened={dialog === 'new'} onClose={() => open()} title="New reference rate">
        <NewRateForm onCancel={() => open()} />
      </Modal>
    </Page>
  )
}

function NewRateForm({ onCancel }: { onCancel: () => void }) {
  const navigate = useNavigate()
  return (
    <CommandForm
      id="reference-rate"
      mutation={CreateReferenceRateDocument}
      initialValues={{ referenceRateId: '', name: '', description: '', validDays: '' }}
      validate={({ referenceRateId, name, validDays }) => ({
        ...(!/^[\w.:~-]{1,64}$/.test(referenceRateId.trim()) && {
          referenceRateId: 'An ID such as EURIBOR-3M.',
        }),
        ...(!name.trim() && { name: 'Required.' }),
        ...(!/^\d*$/.test(validDays.trim()) && { validDays: 'A number of days.' }),
      })}
      variables={({ referenceRateId, name, description, validDays }) => ({
        input: {
          referenceRateId: referenceRateId.trim(),
          name: name.trim(),
          description: description.trim() || null,
          validDays: validDays.trim() ? Number(validDays) : null,
        },
      })}
      fieldOfCode={{ RESOURCE_EXISTS: 'referenceRateId' }}
      submitLabel="Create the reference rate"
      onCancel={onCancel}
      onDone={({ createReferenceRate: { referenceRateId } }) =>
        void navigate({ to: '/reference-rates/$referenceRateId', params: { referenceRateId } })
      }
    >
      {(form) => (
        <Stack>
          <TextInput
            label="ID"
            placeholder="EURIBOR-3M"
            required
            {...form.getInputProps('referenceRateId')}
          />
          <TextInput label="Name" required {...form.getInputProps('name')} />
          <Textarea label="Description" autosize {...form.getInputProps('description')} />
          <TextInput
            label="Days for which a fixing can be used"
            description="Empty for a key rate, which is used until the next one."
            inputMode="numeric"
            {...form.getInputProps('validDays')}
          />
        </Stack>
      )}
    </CommandForm>
  )
}
