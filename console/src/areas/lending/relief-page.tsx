import { Select, Stack, Textarea, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useNavigate, useParams } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { Section } from '../../parts/page.tsx'
import { ChangePage } from './change-page.tsx'
import { CreateHardshipRequestDocument, type HardshipType } from './queries.generated.ts'

export const reliefTypes = [
  { value: 'PAYMENT_HOLIDAY', label: 'Payment holiday: no installments for some time' },
  { value: 'TEMPORARY_REDUCTION', label: 'Temporary reduction: smaller installments for a time' },
  { value: 'TERM_EXTENSION', label: 'Term extension: smaller installments, over more time' },
  { value: 'RESTRUCTURE', label: 'Restructuring: a new rate or a new term' },
]

/** Asks the bank for relief, because the borrower has difficulty paying. */
export function ReliefPage() {
  const { facilityId } = useParams({ from: '/facilities/$facilityId/relief' })
  const navigate = useNavigate()
  return (
    <ChangePage title="Ask for relief" facilityId={facilityId}>
      {(_, leave) => (
        <Section
          title="Hardship request"
          description="Tell us early if installments become difficult. A person decides on each request."
        >
          <CommandForm
            id={`relief:${facilityId}`}
            mutation={CreateHardshipRequestDocument}
            initialValues={{
              type: 'TEMPORARY_REDUCTION',
              reason: '',
              requestedStartDate: '',
              requestedEndDate: '',
            }}
            validate={({ reason }) => (reason.trim() ? {} : { reason: 'What has changed?' })}
            variables={({ type, reason, requestedStartDate, requestedEndDate }) => ({
              input: {
                loanId: facilityId,
                type: type as HardshipType,
                reason: reason.trim(),
                ...(requestedStartDate && { requestedStartDate }),
                ...(requestedEndDate && { requestedEndDate }),
              },
            })}
            submitLabel="Submit the request"
            onCancel={leave}
            onDone={({ createHardshipRequest: { hardshipRequestId } }) => {
              notifications.show({ color: 'teal', message: 'Request submitted' })
              void navigate({ to: '/hardship/$hardshipRequestId', params: { hardshipRequestId } })
            }}
          >
            {(form) => (
              <Stack maw={520}>
                <Select
                  label="What would help"
                  data={reliefTypes}
                  allowDeselect={false}
                  {...form.getInputProps('type')}
                />
                <Textarea
                  label="What has changed"
                  required
                  autosize
                  minRows={3}
                  {...form.getInputProps('reason')}
                />
                <TextInput type="date" label="From" {...form.getInputProps('requestedStartDate')} />
                <TextInput type="date" label="Until" {...form.getInputProps('requestedEndDate')} />
              </Stack>
            )}
          </CommandForm>
        </Section>
      )}
    </ChangePage>
  )
}
