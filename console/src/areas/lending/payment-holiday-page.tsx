import { NumberInput, Radio, Select, Stack, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useParams } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { ChangePage, type FacilityToChange } from './change-page.tsx'
import { Preview } from './preview.tsx'
import {
  CreatePaymentHolidayDocument,
  PreviewPaymentHolidayDocument,
  type InterestTreatment,
  type PaymentHolidayType,
  type TermTreatment,
} from './queries.generated.ts'
import './lending.css'

interface Values {
  startDate: string
  installments: number | string
  type: string
  interestTreatment: string
  termTreatment: string
  reason: string
}

const types = [
  ['FULL', 'Pay nothing'],
  ['PRINCIPAL_ONLY', 'Pay only the interest'],
] as const
const interestTreatments = [
  { value: 'DEFER', label: 'Pay it after the holiday' },
  { value: 'CAPITALIZE', label: 'Add it to the loan' },
  { value: 'WAIVE', label: 'Waive it' },
]
const termTreatments = [
  { value: 'EXTEND', label: 'The loan ends later' },
  { value: 'KEEP_MATURITY', label: 'The loan ends on the same day' },
  { value: 'KEEP_INSTALLMENT', label: 'The installment stays the same' },
]

/** Suspends installments, and shows before what that costs. */
export function PaymentHolidayPage() {
  const { facilityId } = useParams({ from: '/facilities/$facilityId/payment-holiday' })
  return (
    <ChangePage title="Payment holiday" facilityId={facilityId}>
      {(facility, leave) => <PaymentHolidayForm facility={facility} leave={leave} />}
    </ChangePage>
  )
}

const inputOf = (facilityId: string, values: Values) => ({
  facilityId,
  startDate: values.startDate,
  installments: Number(values.installments),
  type: values.type as PaymentHolidayType,
  ...(values.interestTreatment && {
    interestTreatment: values.interestTreatment as InterestTreatment,
  }),
  termTreatment: values.termTreatment as TermTreatment,
  ...(values.reason.trim() && { reason: values.reason.trim() }),
})

function PaymentHolidayForm({
  facility,
  leave,
}: {
  facility: FacilityToChange
  leave: () => void
}) {
  const { facilityId, currency, nextInstallment: next } = facility
  const isComplete = ({ startDate, installments }: Values) =>
    Boolean(startDate) && Number(installments) >= 1
  return (
    <CommandForm
      id={`payment-holiday:${facilityId}`}
      mutation={CreatePaymentHolidayDocument}
      initialValues={
        {
          startDate: next?.dueDate ?? '',
          installments: 1,
          type: 'FULL',
          interestTreatment: '',
          termTreatment: 'EXTEND',
          reason: '',
        } as Values
      }
      validate={(values) => (values.startDate ? {} : { startDate: 'From which day?' })}
      variables={(values) => ({ input: inputOf(facilityId, values) })}
      submitLabel="Request the payment holiday"
      onCancel={leave}
      onDone={({ createPaymentHoliday: holiday }) => {
        const message = `Payment holiday ${readable(holiday.status).toLowerCase()}`
        notifications.show({ color: 'teal', message })
        leave()
      }}
    >
      {(form) => (
        <div className="beside">
          <HolidayFields form={form} />
          <Preview
            query={PreviewPaymentHolidayDocument}
            variables={isComplete(form.values) ? { input: inputOf(facilityId, form.values) } : null}
            pick={(data) => data.paymentHolidayPreview}
            today={facility.schedule}
            currency={currency}
            hint="Choose the first day to see what the payment holiday changes."
            summary={({ startDate, endDate, additionalCost, affectedInstallments }) => (
              <>
                From <Time value={startDate} /> to <Time value={endDate} />,{' '}
                {affectedInstallments.length === 1
                  ? '1 installment is'
                  : `${affectedInstallments.length} installments are`}{' '}
                suspended. Additional cost: <Money value={additionalCost} />.
              </>
            )}
          />
        </div>
      )}
    </CommandForm>
  )
}

function HolidayFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <Section title="Payment holiday">
      <Stack>
        <TextInput type="date" label="First day" required {...form.getInputProps('startDate')} />
        <NumberInput
          label="Number of installments"
          min={1}
          max={24}
          {...form.getInputProps('installments')}
        />
        <Radio.Group label="During the holiday" {...form.getInputProps('type')}>
          <Stack gap="xs" mt="xs">
            {types.map(([value, label]) => (
              <Radio key={value} value={value} label={label} />
            ))}
          </Stack>
        </Radio.Group>
        <Select
          label="Interest that is not paid"
          placeholder="As the product says"
          clearable
          data={interestTreatments}
          {...form.getInputProps('interestTreatment')}
        />
        <Select
          label="Afterward"
          allowDeselect={false}
          data={termTreatments}
          {...form.getInputProps('termTreatment')}
        />
        <Textarea label="Reason" autosize {...form.getInputProps('reason')} />
      </Stack>
    </Section>
  )
}
