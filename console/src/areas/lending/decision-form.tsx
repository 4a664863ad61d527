import {
  MultiSelect,
  SegmentedControl,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import type { Application } from './application.ts'
import { declineReasons } from './decline-reasons.ts'
import { RecordCreditDecisionDocument } from './queries.generated.ts'

interface Values {
  outcome: string
  amount: string
  termMonths: string
  ratePct: string
  reasons: string[]
  condition: string
  comment: string
}

const outcomes = [
  { value: 'approved', label: 'Approve' },
  { value: 'counter-offer', label: 'Counter-offer' },
  { value: 'declined', label: 'Decline' },
]

const isAdverse = (outcome: string) => outcome === 'declined' || outcome === 'counter-offer'

function inputOf(applicationId: string, values: Values) {
  const { outcome, amount, termMonths, ratePct, reasons, condition, comment } = values
  const terms = {
    ...(isAmount(amount) && { amount: amountOf(amount) }),
    ...(termMonths && { termMonths: Number(termMonths) }),
    ...(isAmount(ratePct) && { ratePct: amountOf(ratePct) }),
  }
  const hasTerms = outcome !== 'declined' && Object.keys(terms).length > 0
  return {
    applicationId,
    outcome,
    ...(isAdverse(outcome) && { reasons: reasons.map((code) => ({ code })) }),
    ...(hasTerms && { approvedTerms: terms }),
    ...(condition.trim() &&
      outcome !== 'declined' && {
        conditions: [{ code: 'condition-1', description: condition.trim() }],
      }),
    ...(comment.trim() && { comment: comment.trim() }),
  }
}

function errorsOf({ outcome, reasons, amount, termMonths }: Values) {
  const isOffer = outcome === 'counter-offer'
  return {
    ...(isAdverse(outcome) && reasons.length === 0 && { reasons: 'One to four reasons.' }),
    ...(isOffer && !isAmount(amount) && !termMonths && { amount: 'Which amount or term instead?' }),
  }
}

/** Decides on an application, or revokes its approval. */
export function DecisionForm({
  application,
  isRevocation,
  onClose,
}: {
  application: Application
  isRevocation: boolean
  onClose: () => void
}) {
  const { applicationId } = application
  return (
    <CommandForm
      id={`decision:${applicationId}`}
      mutation={RecordCreditDecisionDocument}
      initialValues={
        {
          outcome: isRevocation ? 'declined' : 'approved',
          amount: '',
          termMonths: '',
          ratePct: '',
          reasons: [],
          condition: '',
          comment: '',
        } as Values
      }
      validate={errorsOf}
      variables={(values) => ({ input: inputOf(applicationId, values) })}
      fieldOf={(pointer) => (pointer.includes('reasons') ? 'reasons' : pointer.split('/').at(-1))}
      submitLabel="Record the decision"
      isDangerous={isRevocation}
      onCancel={onClose}
      onDone={({ recordCreditDecision: { outcome } }) => {
        notifications.show({ color: 'teal', message: `Decision recorded: ${readable(outcome)}` })
        onClose()
      }}
    >
      {(form) => (
        <DecisionFields form={form} application={application} isRevocation={isRevocation} />
      )}
    </CommandForm>
  )
}

function DecisionFields({
  form,
  application: { requestedAmount, termMonths },
  isRevocation,
}: {
  form: UseFormReturnType<Values>
  application: Application
  isRevocation: boolean
}) {
  return (
    <Stack>
      {!isRevocation && (
        <SegmentedControl aria-label="Outcome" data={outcomes} {...form.getInputProps('outcome')} />
      )}
      {form.values.outcome !== 'declined' && (
        <>
          <SimpleGrid cols={{ base: 1, xs: 3 }}>
            <TextInput
              label="Amount"
              description="Empty for what the customer requested"
              placeholder={requestedAmount?.amount ?? ''}
              inputMode="decimal"
              {...form.getInputProps('amount')}
            />
            <TextInput
              label="Term in months"
              description="Empty for what the customer requested"
              placeholder={termMonths === null ? '' : String(termMonths)}
              inputMode="numeric"
              {...form.getInputProps('termMonths')}
            />
            <TextInput
              label="Rate in percent"
              description="Empty for that of the product"
              inputMode="decimal"
              {...form.getInputProps('ratePct')}
            />
          </SimpleGrid>
          <TextInput
            label="Condition"
            description="What must be met before the terms can be accepted"
            {...form.getInputProps('condition')}
          />
        </>
      )}
      {isAdverse(form.values.outcome) && (
        <MultiSelect
          label="Reasons"
          description="One to four, the most important first. The applicant receives them."
          required
          searchable
          maxValues={4}
          data={declineReasons}
          {...form.getInputProps('reasons')}
        />
      )}
      <Textarea
        label="Internal comment"
        description="The applicant does not see it."
        autosize
        {...form.getInputProps('comment')}
      />
    </Stack>
  )
}
