import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { useDialog } from '../../parts/dialog.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { useBusinessDate } from '../../app/environment.ts'
import {
  EndLateChargePauseDocument,
  PauseLateChargesDocument,
  type FacilityDetailsQuery,
  type LateChargePauseReason,
} from './queries.generated.ts'

type Facility = NonNullable<FacilityDetailsQuery['facility']>
type Pause = Facility['lateChargePauses'][number]

interface LateChargePausesProps {
  facility: Facility
  canPause: boolean
}

/** The periods without late charges, with the steps that begin and end one. */
export function LateChargePauses({ facility, canPause }: LateChargePausesProps) {
  const { facilityId, lateChargePauses } = facility
  const { dialog, open } = useDialog()
  const today = useBusinessDate()
  if (!today) return null
  const current = lateChargePauses.find(({ until, endedOn }) => !endedOn && until >= today)
  const close = () => open()
  return (
    <Stack gap="xs">
      {lateChargePauses.length > 0 && (
        <RowTable
          label="Pauses of late charges"
          rows={lateChargePauses}
          columns={columns}
          keyOf={({ from, until, endedOn }) => `${from} ${until} ${endedOn}`}
        />
      )}
      {canPause && (
        <Group>
          {current ? (
            <NotifyingButton
              size="compact-sm"
              variant="default"
              id={`end-pause:${facilityId}:${current.from}`}
              mutation={EndLateChargePauseDocument}
              variables={{ facilityId }}
              done="Late charges apply again"
            >
              End the pause
            </NotifyingButton>
          ) : (
            <Button size="compact-sm" variant="default" onClick={() => open('pause-late-charges')}>
              Pause late charges
            </Button>
          )}
        </Group>
      )}
      <Modal
        opened={canPause && dialog === 'pause-late-charges'}
        onClose={close}
        title="Pause late charges"
      >
        <PauseForm facilityId={facilityId} today={today} onClose={close} />
      </Modal>
    </Stack>
  )
}

const reasons: { value: LateChargePauseReason; label: string }[] = [
  { value: 'HARDSHIP', label: 'The borrower is in financial difficulty' },
  { value: 'DISPUTE', label: 'The borrower disputes what is due' },
  { value: 'BANK_ERROR', label: 'The bank caused the delay' },
  { value: 'NATURAL_DISASTER', label: 'A natural disaster or another emergency' },
  { value: 'LEGAL', label: 'A law or a court forbids the charges' },
]

const columns: readonly Column<Pause>[] = [
  { title: 'First day', cell: ({ from }) => <Time value={from} /> },
  { title: 'Last day', cell: ({ until }) => <Time value={until} /> },
  { title: 'Ended on', cell: ({ endedOn }) => endedOn && <Time value={endedOn} /> },
  {
    title: 'Reason',
    cell: ({ reason }) => reasons.find(({ value }) => value === reason)?.label,
  },
  { title: 'By', cell: ({ pausedBy, endedBy }) => [pausedBy, endedBy].filter(Boolean).join(', ') },
]

const PauseForm = (props: { facilityId: string; today: string; onClose: () => void }) => (
  <CommandForm
    id={`pause:${props.facilityId}`}
    mutation={PauseLateChargesDocument}
    initialValues={{ from: props.today, until: '', reason: 'HARDSHIP' }}
    validate={({ until }) => (until ? {} : { until: 'What is the last day without charges?' })}
    variables={({ from, until, reason }) => ({
      input: {
        facilityId: props.facilityId,
        from: from || null,
        until,
        reason: reason as LateChargePauseReason,
      },
    })}
    submitLabel="Pause the charges"
    onCancel={props.onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Late charges paused' })
      props.onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          The days of the pause count neither for default interest nor for the days of grace. What
          was charged before stays due.
        </Text>
        <TextInput label="First day" type="date" required {...form.getInputProps('from')} />
        <TextInput label="Last day" type="date" required {...form.getInputProps('until')} />
        <Select
          label="Reason"
          allowDeselect={false}
          data={reasons}
          {...form.getInputProps('reason')}
        />
      </Stack>
    )}
  </CommandForm>
)
