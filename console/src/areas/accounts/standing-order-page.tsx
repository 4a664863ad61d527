import { Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useNavigate, useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useBusinessDate } from '../../app/environment.ts'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import {
  CreateStandingOrderDocument,
  TransferAccountsDocument,
  type StandingOrderFrequency,
} from './queries.generated.ts'

const frequencies: readonly StandingOrderFrequency[] = ['WEEKLY', 'MONTHLY', 'QUARTERLY']

/** Sets up a payment that the bank repeats. */
export function StandingOrderPage() {
  const { arrangementId } = useParams({ from: '/accounts/$arrangementId/standing-order' })
  const today = useBusinessDate()
  return (
    <Query query={TransferAccountsDocument} variables={{ arrangementId }}>
      {({ accountArrangement: account }) =>
        account && today ? (
          <Page title="New standing order" lead={`From ${account.accountNumber}`}>
            <Section title="Standing order">
              <StandingOrderForm
                arrangementId={arrangementId}
                currency={account.currency}
                today={today}
              />
            </Section>
          </Page>
        ) : (
          account === null && <NotFound />
        )
      }
    </Query>
  )
}

interface StandingOrderValues {
  creditorIban: string
  creditorName: string
  amount: string
  frequency: StandingOrderFrequency
  startsOn: string
  endsOn: string
  remittanceInformation: string
}

interface FormProps {
  arrangementId: string
  currency: string
  today: string
}

const initialValuesOn = (today: string): StandingOrderValues => ({
  creditorIban: '',
  creditorName: '',
  amount: '',
  frequency: 'MONTHLY',
  startsOn: today,
  endsOn: '',
  remittanceInformation: '',
})

function StandingOrderForm({ arrangementId, currency, today }: FormProps) {
  const navigate = useNavigate()
  const leave = () =>
    void navigate({
      to: '/accounts/$arrangementId',
      params: { arrangementId },
      search: { tab: 'standing-orders' },
    })
  return (
    <CommandForm
      id={`standing-order:${arrangementId}`}
      mutation={CreateStandingOrderDocument}
      initialValues={initialValuesOn(today)}
      validate={({ creditorIban, amount }) => ({
        ...(!creditorIban.trim() && { creditorIban: 'To which IBAN?' }),
        ...(!/^\d+([.,]\d+)?$/.test(amount.trim()) && { amount: 'An amount such as 12.50.' }),
      })}
      variables={({ creditorIban, amount, frequency, startsOn, ...optional }) => ({
        input: {
          debtorArrangementId: arrangementId,
          creditorIban: creditorIban.replaceAll(/\s/g, '').toUpperCase(),
          amount: { amount: amount.trim().replace(',', '.'), currency },
          frequency,
          startsOn,
          ...Object.fromEntries(Object.entries(optional).filter(([, text]) => text.trim() !== '')),
        },
      })}
      fieldOfCode={{ INVALID_IBAN: 'creditorIban' }}
      submitLabel="Set up"
      onCancel={leave}
      onDone={leave}
    >
      {(form) => <Fields form={form} currency={currency} />}
    </CommandForm>
  )
}

function Fields({
  form,
  currency,
}: {
  form: UseFormReturnType<StandingOrderValues>
  currency: string
}) {
  return (
    <Stack maw={480}>
      <TextInput label="IBAN of the recipient" required {...form.getInputProps('creditorIban')} />
      <TextInput label="Name of the recipient" {...form.getInputProps('creditorName')} />
      <TextInput
        label={`Amount in ${currency}`}
        required
        inputMode="decimal"
        {...form.getInputProps('amount')}
      />
      <Select
        label="Repeated"
        allowDeselect={false}
        data={frequencies.map((value) => ({ value, label: readable(value) }))}
        {...form.getInputProps('frequency')}
      />
      <TextInput type="date" label="First payment" required {...form.getInputProps('startsOn')} />
      <TextInput type="date" label="Last day" {...form.getInputProps('endsOn')} />
      <TextInput
        label="Text for the recipient"
        maxLength={140}
        {...form.getInputProps('remittanceInformation')}
      />
    </Stack>
  )
}
