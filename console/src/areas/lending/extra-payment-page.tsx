import { Radio, Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useParams } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { accountOptions, ChangePage, type FacilityToChange } from './change-page.tsx'
import { Preview } from './preview.tsx'
import {
  CreateExtraPaymentDocument,
  PreviewExtraPaymentDocument,
  type ExtraPaymentStrategy,
} from './queries.generated.ts'
import './lending.css'

interface Values {
  amount: string
  strategy: string
  sourceArrangementId: string
  paymentDate: string
}

const strategies = [
  ['REDUCE_TERM', 'Finish earlier', 'The installment stays the same, the loan ends sooner.'],
  ['REDUCE_INSTALLMENT', 'Pay less each time', 'The loan ends on the same day.'],
  ['PREPAY_NEXT', 'Prepay the next installments', 'The next installments count as paid.'],
  ['PAYOFF', 'Pay off everything', 'The loan ends with this payment.'],
] as const

/** Pays more than is due, and shows before what that changes. */
export function ExtraPaymentPage() {
  const { facilityId } = useParams({ from: '/facilities/$facilityId/extra-payment' })
  return (
    <ChangePage title="Extra payment" facilityId={facilityId}>
      {(facility, leave) => <ExtraPaymentForm facility={facility} leave={leave} />}
    </ChangePage>
  )
}

function inputOf(facilityId: string, values: Values) {
  const { amount, strategy, sourceArrangementId, paymentDate } = values
  const isPayoff = strategy === 'PAYOFF'
  return {
    facilityId,
    strategy: strategy as ExtraPaymentStrategy,
    ...(!isPayoff && { amount: amountOf(amount) }),
    ...(sourceArrangementId && { sourceArrangementId }),
    ...(paymentDate && { paymentDate }),
  }
}

function ExtraPaymentForm({ facility, leave }: { facility: FacilityToChange; leave: () => void }) {
  const { facilityId, kind, currency, customer, settlementArrangement: account } = facility
  const accounts = accountOptions(customer?.accounts ?? null, currency)
  const offered = strategies.filter(
    ([name]) => kind !== 'REVOLVING' || name === 'PREPAY_NEXT' || name === 'PAYOFF',
  )
  const isComplete = ({ amount, strategy }: Values) => strategy === 'PAYOFF' || isAmount(amount)
  return (
    <CommandForm
      id={`extra-payment:${facilityId}`}
      mutation={CreateExtraPaymentDocument}
      initialValues={{
        amount: '',
        strategy: offered[0]![0] as string,
        sourceArrangementId: account?.arrangementId ?? accounts[0]?.value ?? '',
        paymentDate: '',
      }}
      validate={(values) => (isComplete(values) ? {} : { amount: 'An amount such as 500.' })}
      variables={(values) => ({ input: inputOf(facilityId, values) })}
      submitLabel="Pay"
      onCancel={leave}
      onDone={({ createExtraPayment: payment }) => {
        const message = `Extra payment ${readable(payment.status).toLowerCase()}`
        notifications.show({ color: 'teal', message })
        leave()
      }}
    >
      {(form) => (
        <div className="beside">
          <PaymentFields form={form} currency={currency} accounts={accounts} offered={offered} />
          <Preview
            query={PreviewExtraPaymentDocument}
            variables={isComplete(form.values) ? { input: inputOf(facilityId, form.values) } : null}
            pick={(data) => data.extraPaymentPreview}
            today={facility.schedule}
            currency={currency}
            hint="Enter an amount to see what it changes."
            summary={({ amount, interestSaved, prepaymentFee }) => (
              <>
                A payment of <Money value={amount} /> saves <Money value={interestSaved} /> of
                interest
                {Number(prepaymentFee.amount) > 0 && (
                  <>
                    {' '}
                    and costs a fee of <Money value={prepaymentFee} />
                  </>
                )}
                .
              </>
            )}
          />
        </div>
      )}
    </CommandForm>
  )
}

interface PaymentFieldsProps {
  form: UseFormReturnType<Values>
  currency: string
  accounts: ReturnType<typeof accountOptions>
  offered: readonly (typeof strategies)[number][]
}

function PaymentFields({ form, currency, accounts, offered }: PaymentFieldsProps) {
  return (
    <Section title="Payment">
      <Stack>
        {form.values.strategy !== 'PAYOFF' && (
          <TextInput
            label={`Amount in ${currency}`}
            required
            inputMode="decimal"
            {...form.getInputProps('amount')}
          />
        )}
        <Radio.Group label="What the payment changes" {...form.getInputProps('strategy')}>
          <Stack gap="xs" mt="xs">
            {offered.map(([value, label, description]) => (
              <Radio key={value} value={value} label={label} description={description} />
            ))}
          </Stack>
        </Radio.Group>
        <Select
          label="From the account"
          data={accounts}
          placeholder="The money comes from another bank"
          clearable
          {...form.getInputProps('sourceArrangementId')}
        />
        <TextInput
          type="date"
          label="Payment date"
          description="Empty for today"
          {...form.getInputProps('paymentDate')}
        />
      </Stack>
    </Section>
  )
}
