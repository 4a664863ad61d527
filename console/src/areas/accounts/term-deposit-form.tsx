import { useQuery } from '@apollo/client/react'
import { Select, Stack, Text, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatDate, formatMoney, formatMonths, formatRate } from '../../parts/format.ts'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import { maturityInstructions } from './maturity-instructions.ts'
import {
  CreateTermDepositDocument,
  SettlementAccountsDocument,
  TermDepositPreviewDocument,
  type AccountQuery,
  type FixedTermOffersQuery,
  type MaturityInstruction,
} from './queries.generated.ts'

type Account = NonNullable<AccountQuery['accountArrangement']>
type Terms = NonNullable<
  NonNullable<NonNullable<FixedTermOffersQuery['product']>['depositInterest']>['fixedTerms']
>

interface TermDepositFormProps {
  account: Account
  terms: Terms
  onClose: () => void
}

/** Deposits money from another account of the customer for one of the offered terms. */
export function TermDepositForm({ account, terms, onClose }: TermDepositFormProps) {
  const { arrangementId, currency } = account
  return (
    <CommandForm
      id={`term-deposit:${arrangementId}`}
      mutation={CreateTermDepositDocument}
      initialValues={{
        settlementArrangementId: '',
        amount: '',
        months: String(terms.offers.at(-1)?.months ?? ''),
        maturityInstruction: 'PAY_OUT',
      }}
      validate={({ settlementArrangementId, amount }) => ({
        ...(!settlementArrangementId && { settlementArrangementId: 'From which account?' }),
        ...(!isAmount(amount) && { amount: 'An amount such as 5000.' }),
      })}
      variables={({ settlementArrangementId, amount, months, maturityInstruction }) => ({
        input: {
          arrangementId,
          settlementArrangementId,
          amount: { amount: amountOf(amount), currency },
          months: Number(months),
          maturityInstruction: maturityInstruction as MaturityInstruction,
        },
      })}
      fieldOfCode={{ INSUFFICIENT_FUNDS: 'amount' }}
      submitLabel="Deposit the money"
      onCancel={onClose}
      onDone={() => {
        notifications.show({ color: 'teal', message: 'Money deposited' })
        onClose()
      }}
    >
      {(form) => <Fields account={account} terms={terms} form={form} />}
    </CommandForm>
  )
}

interface Values {
  settlementArrangementId: string
  amount: string
  months: string
  maturityInstruction: string
}

interface FieldsProps {
  account: Account
  terms: Terms
  form: UseFormReturnType<Values>
}

function Fields({ account, terms, form }: FieldsProps) {
  const { arrangementId, currency, party } = account
  const settlementAccounts = useSettlementAccounts(party?.partyId, account)
  return (
    <Stack>
      <Select
        label="From the account"
        description="The money is paid back to this account."
        required
        data={settlementAccounts}
        {...form.getInputProps('settlementArrangementId')}
      />
      <TextInput
        label={`Amount in ${currency}`}
        description={describeBounds(terms)}
        required
        inputMode="decimal"
        {...form.getInputProps('amount')}
      />
      <Select
        label="Term"
        allowDeselect={false}
        data={terms.offers.map(({ months, annualRatePct }) => ({
          value: String(months),
          label: `${formatMonths(months)} at ${formatRate(annualRatePct)}`,
        }))}
        {...form.getInputProps('months')}
      />
      <Select
        label="At the maturity"
        allowDeselect={false}
        data={maturityInstructions}
        {...form.getInputProps('maturityInstruction')}
      />
      <Earned
        arrangementId={arrangementId}
        currency={currency}
        amount={form.values.amount}
        months={Number(form.values.months)}
      />
    </Stack>
  )
}

/** The other open accounts of the customer in the currency, with what is available. */
function useSettlementAccounts(partyId: string | undefined, account: Account) {
  const { data } = useQuery(SettlementAccountsDocument, {
    variables: { partyId: partyId ?? '' },
    skip: partyId === undefined,
  })
  return (data?.party?.accounts ?? [])
    .filter(
      ({ arrangementId, state, currency }) =>
        arrangementId !== account.arrangementId &&
        state === 'ACTIVE' &&
        currency === account.currency,
    )
    .map(({ arrangementId, accountNumber, nickname, product, balances }) => {
      const available = balances?.[0]?.available
      const name = nickname ?? product?.name ?? accountNumber
      const amount = available && formatMoney({ amount: available, currency: account.currency })
      return { value: arrangementId, label: amount ? `${name} (${amount})` : name }
    })
}

function describeBounds({ minimumAmount, maximumAmount }: Terms): string | undefined {
  const bounds = [
    minimumAmount && `At least ${formatMoney(minimumAmount)}`,
    maximumAmount && `${minimumAmount ? 'at' : 'At'} most ${formatMoney(maximumAmount)}`,
  ].filter(Boolean)
  return bounds.length > 0 ? `${bounds.join(', ')}.` : undefined
}

/** What the deposit would earn, once an amount is typed. */
function Earned(props: {
  arrangementId: string
  currency: string
  amount: string
  months: number
}) {
  const { arrangementId, currency, months } = props
  const [amount] = useDebouncedValue(props.amount, 300)
  const { data } = useQuery(TermDepositPreviewDocument, {
    variables: { arrangementId, amount: { amount: amountOf(amount), currency }, months },
    skip: !isAmount(amount),
    fetchPolicy: 'network-only',
  })
  const preview = isAmount(amount) ? data?.previewTermDeposit : null
  return (
    <Text size="sm" aria-live="polite">
      {preview &&
        `Earns ${formatMoney(preview.net)} until ${formatDate(preview.maturesOn)}` +
          (Number(preview.taxWithheld.amount) > 0
            ? `, after ${formatMoney(preview.taxWithheld)} of tax.`
            : '.')}
    </Text>
  )
}
