import {
  Checkbox,
  MultiSelect,
  NumberInput,
  Select,
  SimpleGrid,
  Slider,
  Stack,
  Text,
  TextInput,
} from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney, formatMonths } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { isAmount } from '../../parts/typed-amount.ts'
import type { Application } from './application.ts'
import {
  inputOf,
  newValues,
  valuesOf,
  type Accounts,
  type Applicant,
  type Values,
} from './application-values.ts'
import { accountOptions } from './change-page.tsx'
import type { CreditOffer } from './credit-offers.ts'
import { LoanEstimate } from './loan-estimate.tsx'
import { SubmitApplicationDocument } from './queries.generated.ts'
import './lending.css'

interface ApplicationFormProps {
  applicant: Applicant
  offers: readonly CreditOffer[]
  /** The application to change; by default, a new one. */
  application?: Application
  onCancel: () => void
}

const newApplicationId = () => `app_${crypto.randomUUID().replaceAll('-', '')}`

/** The request of a customer for a loan, beside what the loan would cost. */
export function ApplicationForm(props: ApplicationFormProps) {
  const { applicant, offers, application, onCancel } = props
  const navigate = useNavigate()
  const [applicationId] = useState(newApplicationId)
  const first = offers[0]!
  const blank = newValues(first, applicant, applicationId)
  const offerOf = (productId: string) =>
    offers.find((offer) => offer.productId === productId) ?? first
  return (
    <CommandForm
      id={application ? `application:${application.applicationId}` : 'application'}
      mutation={SubmitApplicationDocument}
      initialValues={application ? valuesOf(application, blank) : blank}
      validate={({ monthlyIncome, hasConsented }) => ({
        ...(!isAmount(monthlyIncome) && { monthlyIncome: 'An amount such as 2800.' }),
        ...(!hasConsented && { hasConsented: 'The bank needs your consent to decide.' }),
      })}
      variables={(values) => ({
        input: inputOf(values, applicant.customerId, offerOf(values.productId).currency),
      })}
      submitLabel={application ? 'Submit' : 'Apply'}
      onCancel={onCancel}
      onDone={({ submitCreditApplication: { applicationId: id } }) => {
        notifications.show({ color: 'teal', message: 'Application submitted' })
        void navigate({ to: '/applications/$applicationId', params: { applicationId: id } })
      }}
    >
      {(form) => {
        const offer = offerOf(form.values.productId)
        return (
          <div className="beside">
            <Stack>
              <LoanFields form={form} offers={offers} offer={offer} applicant={applicant} />
              <FinanceFields form={form} applicant={applicant} />
            </Stack>
            <LoanEstimate
              offer={offer}
              amount={form.values.amount}
              termMonths={form.values.termMonths}
            />
          </div>
        )
      }}
    </CommandForm>
  )
}

interface LoanFieldsProps extends Pick<ApplicationFormProps, 'offers' | 'applicant'> {
  form: UseFormReturnType<Values>
  offer: CreditOffer
}

function LoanFields({ form, offers, offer, applicant: { accounts } }: LoanFieldsProps) {
  return (
    <Section title="Loan" description={offer.description}>
      <Stack>
        {offers.length > 1 && (
          <Select
            label="Product"
            data={offers.map(({ productId, name }) => ({
              value: productId,
              label: name,
            }))}
            allowDeselect={false}
            {...form.getInputProps('productId')}
          />
        )}
        <AmountAndTerm
          offer={offer}
          amount={form.getInputProps('amount')}
          termMonths={form.getInputProps('termMonths')}
        />
        <TextInput label="Purpose" {...form.getInputProps('purpose')} />
        <Select
          label="Pay out to"
          data={accountOptions(accounts as Accounts, offer.currency)}
          {...form.getInputProps('settlementArrangementId')}
        />
      </Stack>
    </Section>
  )
}

function FinanceFields({
  form,
  applicant: { documents },
}: {
  form: UseFormReturnType<Values>
  applicant: Applicant
}) {
  const usable = documents.filter(({ status }) => status === 'ACTIVE')
  return (
    <Section title="Your finances" description="The bank needs them to decide responsibly.">
      <Stack>
        {/* A label of two lines does not move its field below the one beside it. */}
        <SimpleGrid cols={{ base: 1, xs: 2 }} style={{ alignItems: 'end' }}>
          <TextInput
            label="Net monthly income"
            required
            inputMode="decimal"
            {...form.getInputProps('monthlyIncome')}
          />
          <TextInput
            label="Monthly payments on debts"
            inputMode="decimal"
            {...form.getInputProps('monthlyObligations')}
          />
        </SimpleGrid>
        <NumberInput
          label="Months in your employment"
          min={0}
          max={1200}
          {...form.getInputProps('employedMonths')}
        />
        {usable.length > 0 && (
          <MultiSelect
            label="Documents"
            description="Proofs that you added under Documents."
            data={usable.map(({ documentId, title }) => ({ value: documentId, label: title }))}
            maxValues={50}
            {...form.getInputProps('documents')}
          />
        )}
        <Checkbox
          label="The bank may ask a credit bureau about me."
          {...form.getInputProps('hasConsented', { type: 'checkbox' })}
        />
      </Stack>
    </Section>
  )
}

/** What Mantine's forms give to an input for a number. */
interface NumberField {
  value?: number
  error?: React.ReactNode
  onChange: (value: number) => void
}

function AmountAndTerm({
  offer,
  amount,
  termMonths,
}: {
  offer: CreditOffer
  amount: NumberField
  termMonths: NumberField
}) {
  const { currency, minAmount, maxAmount, minMonths, maxMonths } = offer
  const money = (value: number) => formatMoney({ amount: String(value), currency })
  const fields = [
    { label: 'Amount', field: amount, min: minAmount, max: maxAmount, step: 500, text: money },
    {
      label: 'Term',
      field: termMonths,
      min: minMonths,
      max: maxMonths,
      step: 6,
      text: formatMonths,
    },
  ]
  return fields.map(({ label, field, min, max, step, text }) => (
    <div key={label}>
      <NumberInput
        label={label === 'Amount' ? `Amount in ${currency}` : 'Term in months'}
        required
        min={min}
        max={max}
        step={step}
        thousandSeparator={label === 'Amount' ? ',' : false}
        value={field.value ?? min}
        error={field.error}
        onChange={(value) => field.onChange(Number(value))}
      />
      <Slider
        mt="sm"
        thumbLabel={label}
        label={null}
        min={min}
        max={max}
        step={step}
        value={field.value ?? min}
        onChange={field.onChange}
      />
      <Text size="xs" c="dimmed" mt={4}>
        {text(min)} to {text(max)}
      </Text>
    </div>
  ))
}
