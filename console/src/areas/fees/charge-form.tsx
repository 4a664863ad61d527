import { useQuery } from '@apollo/client/react'
import { Alert, Select, Stack, Text, Textarea, TextInput } from '@mantine/core'
import type { UseFormReturnType } from '@mantine/form'
import { useDebouncedValue } from '@mantine/hooks'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatMoney, readable } from '../../parts/format.ts'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { amountOf, isAmount } from '../../parts/typed-amount.ts'
import {
  ChargeFeeDocument,
  PreviewFeeChargeDocument,
  type ChargeableFeesQuery,
  type ChargeFeeInput,
  type PreviewFeeChargeQuery,
} from './queries.generated.ts'

type Account = NonNullable<ChargeableFeesQuery['accountArrangement']>
type Fee = NonNullable<Account['product']>['fees'][number]
type Preview = NonNullable<PreviewFeeChargeQuery['feeChargePreview']>

interface ChargeFormProps {
  account: Account
  onClose: () => void
}

interface Values {
  feeCode: string
  basis: string
  reason: string
}

/** Charges a fee of the price list for a service, after showing what that does. */
export function ChargeForm({ account, onClose }: ChargeFormProps) {
  const { arrangementId, currency } = account
  const offered = (account.product?.fees ?? []).filter(
    ({ frequency }) => frequency === 'ON_REQUEST',
  )
  if (offered.length === 0) {
    return <Text>The product of the account has no fee that employees charge.</Text>
  }
  const needsBasis = (feeCode: string) =>
    offered.some(({ code, percent, tiers }) => code === feeCode && (percent || tiers.length > 0))
  const inputOf = ({ feeCode, basis, reason }: Values) => ({
    arrangementId,
    feeCode,
    basis: needsBasis(feeCode) ? { amount: amountOf(basis), currency } : null,
    reason: reason.trim() || null,
  })
  const isComplete = ({ feeCode, basis }: Values) =>
    feeCode !== '' && (!needsBasis(feeCode) || isAmount(basis))
  return (
    <CommandForm
      id={`charge-fee:${arrangementId}`}
      mutation={ChargeFeeDocument}
      initialValues={{
        feeCode: offered.length === 1 ? offered[0]!.code : '',
        basis: '',
        reason: '',
      }}
      validate={({ feeCode, basis }: Values) => ({
        ...(!feeCode && { feeCode: 'Which fee?' }),
        ...(needsBasis(feeCode) && !isAmount(basis) && { basis: 'An amount such as 500.' }),
      })}
      variables={(values: Values) => ({ input: inputOf(values) })}
      fieldOf={(pointer) =>
        pointer.split('/').find((part) => part === 'basis' || part === 'feeCode')
      }
      submitLabel="Charge the fee"
      onCancel={onClose}
      onDone={({ chargeFee: { amount, owed } }) => {
        const missing = Number(owed.amount) > 0 ? `, of which ${formatMoney(owed)} is owed` : ''
        notifications.show({ color: 'teal', message: `${formatMoney(amount)} charged${missing}` })
        onClose()
      }}
    >
      {(form) => (
        <Stack>
          <FeeFields
            form={form}
            offered={offered}
            basisIn={needsBasis(form.values.feeCode) ? currency : null}
          />
          <Outcome
            input={isComplete(form.values) ? inputOf({ ...form.values, reason: '' }) : null}
          />
        </Stack>
      )}
    </CommandForm>
  )
}

interface FeeFieldsProps {
  form: UseFormReturnType<Values>
  offered: readonly Fee[]
  /** The currency of the amount on which the fee is charged; null if the fee needs none. */
  basisIn: string | null
}

const FeeFields = ({ form, offered, basisIn }: FeeFieldsProps) => (
  <>
    <Select
      label="Fee"
      required
      data={offered.map(({ code, name }) => ({ value: code, label: name ?? code }))}
      {...form.getInputProps('feeCode')}
    />
    {basisIn !== null && (
      <TextInput
        label={`Charged on this amount in ${basisIn}`}
        inputMode="decimal"
        required
        {...form.getInputProps('basis')}
      />
    )}
    <Textarea
      label="Reason"
      description="For the customer to read."
      autosize
      {...form.getInputProps('reason')}
    />
  </>
)

/** Returns what charging the fee would do, soon after a person has stopped typing. */
function useOutcome(input: ChargeFeeInput | null) {
  const [settled] = useDebouncedValue(JSON.stringify(input), 300)
  const shown = JSON.parse(settled) as ChargeFeeInput | null
  return useQuery(PreviewFeeChargeDocument, {
    variables: { input: shown ?? { arrangementId: '', feeCode: '' } },
    skip: shown === null || input === null,
    fetchPolicy: 'network-only',
  })
}

/** What would be charged, once the form says enough. */
function Outcome({ input }: { input: ChargeFeeInput | null }) {
  const { data, error } = useOutcome(input)
  if (error) return <ProblemAlert error={error} />
  const preview = input === null ? null : data?.feeChargePreview
  return (
    <div aria-live="polite">
      {preview && (
        <Alert
          color={preview.outcome === 'CHARGED' ? 'teal' : 'yellow'}
          title={formatMoney(preview.amount)}
        >
          {describe(preview)}
        </Alert>
      )}
    </div>
  )
}

function describe({ outcome, outcomeReason, thirdParty }: Preview): string {
  const why = outcomeReason ? ` (${readable(outcomeReason).toLowerCase()})` : ''
  const to = thirdParty ? ` The bank then owes the amount to ${thirdParty}.` : ''
  switch (outcome) {
    case 'CHARGED':
      return `The account pays the fee now.${to}`
    case 'OWED':
      return `The account cannot pay now${why}. The fee is collected when money comes in.${to}`
    case 'WAIVED':
      return `A waiver applies${why}, so nothing can be charged.`
    case 'FAILED':
      return `The fee cannot be charged${why}.`
  }
}
