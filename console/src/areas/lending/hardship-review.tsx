import {
  Checkbox,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Money } from '../../parts/values.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import type { FacilityToChange } from './change-page.tsx'
import type { HardshipRequest } from './hardship-request.ts'
import { Preview } from './preview.tsx'
import {
  FacilityToChangeDocument,
  PreviewHardshipReliefDocument,
  ReviewHardshipRequestDocument,
  type HardshipReason,
  type HardshipReliefInput,
} from './queries.generated.ts'
import './lending.css'

interface Values {
  action: string
  installments: number | string
  extraInstallments: number | string
  installmentAmount: string
  ratePct: string
  isArrearsCapitalized: boolean
  interestTreatment: string
  reasons: string[]
}

const reasons = [
  'ABILITY_TO_PAY_NOT_AFFECTED',
  'HARDSHIP_NOT_EVIDENCED',
  'NO_PROSPECT_OF_REPAYMENT',
  'INFORMATION_NOT_PROVIDED',
  'RELIEF_NOT_SUITABLE',
  'RELIEF_LIMIT_REACHED',
  'OTHER',
].map((value) => ({ value, label: readable(value) }))

/** The fields of a relief that matter for each type of request. */
const fieldsOf: Record<HardshipRequest['type'], readonly (keyof Values)[]> = {
  PAYMENT_HOLIDAY: ['installments', 'interestTreatment'],
  TEMPORARY_REDUCTION: ['installments', 'installmentAmount', 'interestTreatment'],
  TERM_EXTENSION: ['extraInstallments'],
  RESTRUCTURE: ['ratePct', 'extraInstallments', 'isArrearsCapitalized'],
}

function reliefOf(type: HardshipRequest['type'], values: Values): HardshipReliefInput {
  const has = (name: keyof Values) => fieldsOf[type].includes(name) && values[name] !== ''
  return {
    ...(has('installments') && { installments: Number(values.installments) }),
    ...(has('extraInstallments') && { extraInstallments: Number(values.extraInstallments) }),
    ...(has('installmentAmount') && { installmentAmount: amountOf(values.installmentAmount) }),
    ...(has('ratePct') && { ratePct: amountOf(values.ratePct) }),
    ...(has('isArrearsCapitalized') && { isArrearsCapitalized: values.isArrearsCapitalized }),
    ...(has('interestTreatment') && {
      interestTreatment: values.interestTreatment as HardshipReliefInput['interestTreatment'],
    }),
  }
}

function isComplete(type: HardshipRequest['type'], values: Values): boolean {
  if (type === 'TEMPORARY_REDUCTION') return isAmount(values.installmentAmount)
  if (type === 'TERM_EXTENSION') return Number(values.extraInstallments) >= 1
  if (type === 'RESTRUCTURE') {
    return (
      values.ratePct !== '' || Number(values.extraInstallments) >= 1 || values.isArrearsCapitalized
    )
  }
  return true
}

/** Decides on a request in review, and shows before what the relief would change. */
export function HardshipReview({ request }: { request: HardshipRequest }) {
  const { hardshipRequestId, loanId, type } = request
  return (
    <Query query={FacilityToChangeDocument} variables={{ facilityId: loanId }}>
      {({ facility }) => (
        <CommandForm
          id={`hardship:${hardshipRequestId}`}
          mutation={ReviewHardshipRequestDocument}
          initialValues={
            {
              action: 'APPROVE',
              installments: 3,
              extraInstallments: type === 'TERM_EXTENSION' ? 6 : '',
              installmentAmount: '',
              ratePct: '',
              isArrearsCapitalized: false,
              interestTreatment: '',
              reasons: [],
            } as Values
          }
          validate={(values) => errorsOf(type, values)}
          variables={(values) => ({
            input: {
              hardshipRequestId,
              ...(values.action === 'APPROVE'
                ? { action: 'APPROVE' as const, relief: reliefOf(type, values) }
                : { action: 'DECLINE' as const, reasons: values.reasons as HardshipReason[] }),
            },
          })}
          submitLabel="Record the decision"
          onDone={({ reviewHardshipRequest: { status } }) =>
            notifications.show({
              color: 'teal',
              message: `Request ${readable(status).toLowerCase()}`,
            })
          }
        >
          {(form) => (
            <div className="beside">
              <DecisionFields type={type} form={form} />
              <ReliefPreview request={request} facility={facility} values={form.values} />
            </div>
          )}
        </CommandForm>
      )}
    </Query>
  )
}

function DecisionFields({
  type,
  form,
}: {
  type: HardshipRequest['type']
  form: UseFormReturnType<Values>
}) {
  return (
    <Section title="Decision" description="Whoever submitted the request cannot decide on it.">
      <Stack>
        <SegmentedControl
          aria-label="Decision"
          data={[
            { value: 'APPROVE', label: 'Grant relief' },
            { value: 'DECLINE', label: 'Decline' },
          ]}
          {...form.getInputProps('action')}
        />
        {form.values.action === 'APPROVE' ? (
          <ReliefFields type={type} form={form} />
        ) : (
          <MultiSelect
            label="Reasons"
            description="One to four. The borrower receives them."
            required
            maxValues={4}
            data={reasons}
            {...form.getInputProps('reasons')}
          />
        )}
      </Stack>
    </Section>
  )
}

function ReliefPreview({
  request: { hardshipRequestId, type },
  facility,
  values,
}: {
  request: HardshipRequest
  facility: FacilityToChange | null | undefined
  values: Values
}) {
  return values.action === 'APPROVE' && facility ? (
    <Preview
      query={PreviewHardshipReliefDocument}
      variables={
        isComplete(type, values) ? { hardshipRequestId, relief: reliefOf(type, values) } : null
      }
      pick={(data) => data.hardshipReliefPreview}
      today={facility.schedule}
      currency={facility.currency}
      hint="Describe the relief to see what it changes."
      summary={({ additionalCost }) => (
        <>
          Additional cost for the borrower: <Money value={additionalCost} />.
        </>
      )}
    />
  ) : (
    <Section title="Preview">
      <Empty>The schedule stays as it is.</Empty>
    </Section>
  )
}

function errorsOf(type: HardshipRequest['type'], values: Values): Record<string, string> {
  if (values.action === 'DECLINE') {
    return values.reasons.length > 0 ? {} : { reasons: 'One to four reasons.' }
  }
  if (isComplete(type, values)) return {}
  const missing = {
    TEMPORARY_REDUCTION: 'installmentAmount',
    TERM_EXTENSION: 'extraInstallments',
    RESTRUCTURE: 'ratePct',
    PAYMENT_HOLIDAY: 'installments',
  }[type]
  return { [missing]: 'This is required for the relief.' }
}

function ReliefFields({
  type,
  form,
}: {
  type: HardshipRequest['type']
  form: UseFormReturnType<Values>
}) {
  const has = (name: keyof Values) => fieldsOf[type].includes(name)
  return (
    <>
      {has('installmentAmount') && (
        <TextInput
          label="Installment at most"
          required
          inputMode="decimal"
          {...form.getInputProps('installmentAmount')}
        />
      )}
      {has('installments') && (
        <NumberInput
          label="Number of installments"
          min={1}
          {...form.getInputProps('installments')}
        />
      )}
      {has('ratePct') && (
        <TextInput
          label="New rate in percent"
          inputMode="decimal"
          {...form.getInputProps('ratePct')}
        />
      )}
      {has('extraInstallments') && (
        <NumberInput
          label="Installments to add"
          min={1}
          max={1200}
          {...form.getInputProps('extraInstallments')}
        />
      )}
      {has('isArrearsCapitalized') && (
        <Checkbox
          label="Add what is due to the principal"
          {...form.getInputProps('isArrearsCapitalized', { type: 'checkbox' })}
        />
      )}
      {has('interestTreatment') && (
        <Select
          label="Interest that is not paid"
          placeholder="As the product says"
          clearable
          data={[
            { value: 'DEFER', label: 'Pay it afterward' },
            { value: 'CAPITALIZE', label: 'Add it to the loan' },
            ...(type === 'PAYMENT_HOLIDAY' ? [{ value: 'WAIVE', label: 'Waive it' }] : []),
          ]}
          {...form.getInputProps('interestTreatment')}
        />
      )}
    </>
  )
}
