import { Button, FileButton, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandForm } from '../../parts/command-form.tsx'
import { useDialog } from '../../parts/dialog.ts'
import { formatRate } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Id, Missing, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { readFixings } from './fixings-file.ts'
import {
  RecordReferenceRateFixingsDocument,
  ReferenceRateDocument,
  type ReferenceRateQuery,
} from './queries.generated.ts'

type Rate = NonNullable<ReferenceRateQuery['referenceRate']>
type Fixing = NonNullable<Rate['fixings']>['nodes'][number]

const columns: readonly Column<Fixing>[] = [
  { title: 'Day', cell: ({ fixedOn }) => <Time value={fixedOn} /> },
  { title: 'Rate', isNumeric: true, cell: ({ ratePct }) => formatRate(ratePct) },
  { title: 'Recorded', cell: ({ recordedAt }) => <Time value={recordedAt} /> },
  { title: 'By', cell: ({ recordedBy }) => recordedBy },
  { title: 'Correction', cell: ({ correctionReason }) => correctionReason ?? <Missing /> },
]

/** A reference rate with its fixings. */
export function ReferenceRatePage() {
  const { referenceRateId } = useParams({ from: '/reference-rates/$referenceRateId' })
  const { after } = useSearch({ from: '/reference-rates/$referenceRateId' })
  return (
    <Query query={ReferenceRateDocument} variables={{ referenceRateId, after: after ?? null }}>
      {({ referenceRate }) =>
        referenceRate ? <Details rate={referenceRate} after={after} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ rate, after }: { rate: Rate; after: string | undefined }) {
  const { referenceRateId, name, description, validDays, fixings } = rate
  const navigate = useNavigate({ from: '/reference-rates/$referenceRateId' })
  const { dialog, open } = useDialog()
  useChanges([`reference-rate/${referenceRateId}`])
  const may = useMay()
  const validity = validDays === null ? 'until the next one' : `for ${validDays} days`
  return (
    <Page
      subject={`reference-rate/${referenceRateId}`}
      title={name}
      lead={<Id value={referenceRateId} />}
      actions={
        may('products:write') && <Button onClick={() => open('record')}>Record fixings</Button>
      }
    >
      <Section
        title="Fixings"
        description={`${description ? `${description}. ` : ''}A fixing is used ${validity}.`}
      >
        <ConnectionTable
          label="Fixings"
          connection={fixings}
          columns={columns}
          keyOf={({ fixedOn }) => fixedOn}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="No fixing is recorded."
        />
      </Section>
      <Modal opened={dialog === 'record'} onClose={() => open()} title="Record fixings" size="lg">
        <FixingsForm referenceRateId={referenceRateId} onClose={() => open()} />
      </Modal>
    </Page>
  )
}

interface Values {
  text: string
  correctionReason: string
}

function FixingsForm(props: { referenceRateId: string; onClose: () => void }) {
  const { referenceRateId, onClose } = props
  return (
    <CommandForm
      id={`fixings:${referenceRateId}`}
      mutation={RecordReferenceRateFixingsDocument}
      initialValues={{ text: '', correctionReason: '' }}
      validate={({ text }) => {
        const { fault } = readFixings(text)
        return fault ? { text: fault } : {}
      }}
      variables={({ text, correctionReason }) => ({
        input: {
          referenceRateId,
          fixings: readFixings(text).fixings,
          correctionReason: correctionReason.trim() || null,
        },
      })}
      fieldOf={(pointer) => (pointer.includes('fixings') ? 'text' : 'correctionReason')}
      fieldOfCode={{ REFERENCE_RATE_FIXING_EXISTS: 'correctionReason' }}
      submitLabel="Record"
      onCancel={onClose}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'Fixings recorded' })
        onClose()
      }}
    >
      {(form) => <FixingFields form={form} />}
    </CommandForm>
  )
}

function FixingFields({ form }: { form: UseFormReturnType<Values> }) {
  const read = async (file: File | null) => {
    if (file) form.setFieldValue('text', await file.text())
  }
  const { fixings } = readFixings(form.values.text)
  return (
    <Stack>
      <Textarea
        label="Fixings"
        description="A day and the rate in percent in each line, such as 2026-03-02,2.15."
        autosize
        minRows={4}
        maxRows={14}
        required
        {...form.getInputProps('text')}
      />
      <Group justify="space-between">
        <Text size="sm" c="dimmed" aria-live="polite">
          {fixings.length > 0 && `${fixings.length} fixings`}
        </Text>
        <FileButton accept=".csv,.txt,text/csv,text/plain" onChange={(file) => void read(file)}>
          {(button) => (
            <Button variant="default" size="xs" {...button}>
              Read a file
            </Button>
          )}
        </FileButton>
      </Group>
      <TextInput
        label="Reason for a correction"
        description="Only if a fixing is recorded already with another rate."
        {...form.getInputProps('correctionReason')}
      />
    </Stack>
  )
}
