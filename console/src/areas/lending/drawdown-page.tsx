import { Select, Stack, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { notifications } from '@mantine/notifications'
import { useParams } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney, readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Money } from '../../parts/values.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { accountOptions, ChangePage, type FacilityToChange } from './change-page.tsx'
import { Preview } from './preview.tsx'
import { CreateDrawdownDocument, PreviewDrawdownDocument } from './queries.generated.ts'
import './lending.css'

interface Values {
  amount: string
  arrangementId: string
  valueDate: string
  purpose: string
}

/** Draws money from a facility, and shows before how it is repaid. */
export function DrawdownPage() {
  const { facilityId } = useParams({ from: '/facilities/$facilityId/drawdown' })
  return (
    <ChangePage title="Draw money" facilityId={facilityId}>
      {(facility, leave) => <DrawdownForm facility={facility} leave={leave} />}
    </ChangePage>
  )
}

const inputOf = (facilityId: string, values: Values) => ({
  facilityId,
  amount: amountOf(values.amount),
  ...(values.arrangementId && { destination: { arrangementId: values.arrangementId } }),
  ...(values.valueDate && { valueDate: values.valueDate }),
  ...(values.purpose.trim() && { purpose: values.purpose.trim() }),
})

function DrawdownForm({ facility, leave }: { facility: FacilityToChange; leave: () => void }) {
  const { facilityId, kind, currency, available, customer } = facility
  const accounts = accountOptions(customer?.accounts ?? null, currency)
  const account = facility.settlementArrangement?.arrangementId ?? accounts[0]?.value
  return (
    <CommandForm
      id={`drawdown:${facilityId}`}
      mutation={CreateDrawdownDocument}
      initialValues={{
        amount: kind === 'REVOLVING' ? '' : available.amount,
        arrangementId: account ?? '',
        valueDate: '',
        purpose: '',
      }}
      validate={({ amount }) => (isAmount(amount) ? {} : { amount: 'An amount such as 500.' })}
      variables={(values) => ({ input: inputOf(facilityId, values) })}
      fieldOf={(pointer) => (pointer.includes('destination') ? 'arrangementId' : undefined)}
      submitLabel="Pay out"
      onCancel={leave}
      onDone={({ createDrawdown: drawdown }) => {
        notifications.show({
          color: 'teal',
          title: `Drawdown ${readable(drawdown.status).toLowerCase()}`,
          message: formatMoney(drawdown.amount),
        })
        leave()
      }}
    >
      {(form) => (
        <div className="beside">
          <DrawdownFields form={form} facility={facility} accounts={accounts} />
          <Preview
            query={PreviewDrawdownDocument}
            variables={
              isAmount(form.values.amount) ? { input: inputOf(facilityId, form.values) } : null
            }
            pick={(data) => data.drawdownPreview}
            today={facility.schedule}
            currency={currency}
            hint="Enter an amount to see how it is repaid."
            summary={({ amount, fee, availableLimitAfter }) => (
              <>
                After a payout of <Money value={amount} />, <Money value={availableLimitAfter} />{' '}
                can still be drawn.
                {Number(fee.amount) > 0 && (
                  <>
                    {' '}
                    The fee is <Money value={fee} />.
                  </>
                )}
              </>
            )}
          />
        </div>
      )}
    </CommandForm>
  )
}

function DrawdownFields({
  form,
  facility: { available, currency },
  accounts,
}: {
  form: UseFormReturnType<Values>
  facility: FacilityToChange
  accounts: ReturnType<typeof accountOptions>
}) {
  return (
    <Section
      title="Drawdown"
      description={
        <>
          Available: <Money value={available} />
        </>
      }
    >
      <Stack>
        <TextInput
          label={`Amount in ${currency}`}
          required
          inputMode="decimal"
          {...form.getInputProps('amount')}
        />
        <Select
          label="To the account"
          data={accounts}
          allowDeselect={false}
          {...form.getInputProps('arrangementId')}
        />
        <TextInput
          type="date"
          label="Value date"
          description="Empty for today"
          {...form.getInputProps('valueDate')}
        />
        <TextInput label="Purpose" {...form.getInputProps('purpose')} />
      </Stack>
    </Section>
  )
}
