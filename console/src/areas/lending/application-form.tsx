import {
  Checkbox,
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
import { formatMoney } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { amountOf, isAmount } from './amounts.ts'
import { accountOptions, type FacilityToChange } from './change-page.tsx'
import type { CreditOffer } from './credit-offers.ts'
import { LoanEstimate } from './loan-estimate.tsx'
import { SubmitApplicationDocument } from './queries.generated.ts'
import './lending.css'

type Accounts = NonNullable<FacilityToChange['customer']>['accounts']

interface ApplicationFormProps {
  customerId: string
  offers: readonly CreditOffer[]
  accounts: readonly Omit<NonNullable<Accounts>[number], 'balances'>[]
  onCancel: () => void
}

const newApplicationId = () => `app_${crypto.randomUUID().replaceAll('-', '')}`

/** The consent to a credit bureau inquiry, by the code that the bank knows. */
const consentCode = 'credit-bureau-check'

interface Values {
  applicationId: string
  productId: string
  amount: number
  termMonths: number
  purpose: string
  monthlyIncome: string
  monthlyObligations: string
  employedMonths: number | string
  settlementArrangementId: string
  hasConsented: boolean
}

const inputOf = (values: Values, customerId: string, currency: string) => ({
  applicationId: values.applicationId,
  customerId,
  productId: values.productId,
  requestedAmount: { amount: String(values.amount), currency },
  termMonths: values.termMonths,
  ...(values.purpose.trim() && { purpose: values.purpose.trim() }),
  monthlyIncome: { amount: amountOf(values.monthlyIncome), currency },
  ...(isAmount(values.monthlyObligations) && {
    monthlyObligations: { amount: amountOf(values.monthlyObligations), currency },
  }),
  ...(values.employedMonths !== '' && { employedMonths: Number(values.employedMonths) }),
  ...(values.settlementArrangementId && {
    settlementArrangementId: values.settlementArrangementId,
  }),
  channel: 'web',
  declarations: [{ code: consentCode, accepted: values.hasConsented }],
})

const initialValuesOf = (
  { productId, maxAmount, maxMonths, currency }: CreditOffer,
  accounts: ApplicationFormProps['accounts'],
  applicationId: string,
): Values => ({
  applicationId,
  productId,
  amount: Math.min(10_000, maxAmount),
  termMonths: Math.min(36, maxMonths),
  purpose: '',
  monthlyIncome: '',
  monthlyObligations: '',
  employedMonths: '',
  settlementArrangementId: accountOptions(accounts as Accounts, currency)[0]?.value ?? '',
  hasConsented: false,
})

/** The request of a customer for a loan, beside what the loan would cost. */
export function ApplicationForm(props: ApplicationFormProps) {
  const { customerId, offers, accounts, onCancel } = props
  const navigate = useNavigate()
  const [applicationId] = useState(newApplicationId)
  const first = offers[0]!
  const offerOf = (productId: string) =>
    offers.find((offer) => offer.productId === productId) ?? first
  return (
    <CommandForm
      id="application"
      mutation={SubmitApplicationDocument}
      initialValues={initialValuesOf(first, accounts, applicationId)}
      validate={({ monthlyIncome, hasConsented }) => ({
        ...(!isAmount(monthlyIncome) && { monthlyIncome: 'An amount such as 2800.' }),
        ...(!hasConsented && { hasConsented: 'The bank needs your consent to decide.' }),
      })}
      variables={(values) => ({
        input: inputOf(values, customerId, offerOf(values.productId).currency),
      })}
      submitLabel="Apply"
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
              <LoanFields form={form} offers={offers} offer={offer} accounts={accounts} />
              <FinanceFields form={form} />
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

interface LoanFieldsProps extends Pick<ApplicationFormProps, 'offers' | 'accounts'> {
  form: UseFormReturnType<Values>
  offer: CreditOffer
}

function LoanFields({ form, offers, offer, accounts }: LoanFieldsProps) {
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

function FinanceFields({ form }: { form: UseFormReturnType<Values> }) {
  return (
    <Section title="Your finances" description="The bank needs them to decide responsibly.">
      <Stack>
        <SimpleGrid cols={{ base: 1, xs: 2 }}>
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
      text: (months: number) => `${months} months`,
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
