import { useQuery } from '@apollo/client/react'
import { Select, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { formatDate, formatMoney, formatMonths } from '../../parts/format.ts'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Facts, Money, Time } from '../../parts/values.tsx'
import { maturityInstructions } from './maturity-instructions.ts'
import {
  ChangeMaturityInstructionDocument,
  WithdrawalPreviewDocument,
  WithdrawTermDepositDocument,
  type AccountQuery,
  type MaturityInstruction,
} from './queries.generated.ts'

type Account = NonNullable<AccountQuery['accountArrangement']>
type Deposit = NonNullable<Account['termDeposits']>[number]

/** Changes what happens at the maturity of a term deposit. */
export const MaturityForm = ({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) => (
  <CommandForm
    id={`maturity:${deposit.termDepositId}`}
    mutation={ChangeMaturityInstructionDocument}
    initialValues={{ maturityInstruction: deposit.maturityInstruction as string }}
    variables={({ maturityInstruction }) => ({
      input: {
        termDepositId: deposit.termDepositId,
        maturityInstruction: maturityInstruction as MaturityInstruction,
      },
    })}
    submitLabel="Save"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Maturity changed' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          The deposit ends on {formatDate(deposit.endsOn)}. Another term has{' '}
          {formatMonths(deposit.months)}, at the rate that the product then offers.
        </Text>
        <Select
          label="At the maturity"
          allowDeselect={false}
          data={maturityInstructions}
          {...form.getInputProps('maturityInstruction')}
        />
      </Stack>
    )}
  </CommandForm>
)

/** Withdraws a term deposit before its maturity, after showing what that costs. */
export const WithdrawalForm = ({ deposit, onClose }: { deposit: Deposit; onClose: () => void }) => (
  <CommandForm
    id={`withdraw:${deposit.termDepositId}`}
    mutation={WithdrawTermDepositDocument}
    initialValues={{ waiverReason: '' }}
    variables={({ waiverReason }) => ({ input: inputOf(deposit, waiverReason) })}
    submitLabel="Withdraw the deposit"
    isDangerous
    onCancel={onClose}
    onDone={({ withdrawTermDeposit: { state, endsOn, paidOut } }) => {
      const message =
        state === 'WITHDRAWN' && paidOut
          ? `${formatMoney(paidOut)} paid out`
          : `The deposit ends on ${formatDate(endsOn)}`
      notifications.show({ color: 'teal', message })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Cost deposit={deposit} isWaived={form.values.waiverReason.trim() !== ''} />
        <Textarea
          label="Reason for a waiver"
          description="If you give one, the bank waives the penalty and the notice."
          autosize
          {...form.getInputProps('waiverReason')}
        />
      </Stack>
    )}
  </CommandForm>
)

const inputOf = ({ termDepositId }: Deposit, waiverReason: string) => ({
  termDepositId,
  waiverReason: waiverReason.trim() || null,
})

/** What the withdrawal would pay out. */
function Cost({ deposit, isWaived }: { deposit: Deposit; isWaived: boolean }) {
  const { data, error } = useQuery(WithdrawalPreviewDocument, {
    variables: { input: inputOf(deposit, isWaived ? 'Preview' : '') },
    fetchPolicy: 'network-only',
  })
  if (error) return <ProblemAlert error={error} />
  const preview = data?.previewTermDepositWithdrawal
  if (!preview) return null
  return (
    <div aria-live="polite">
      <Facts
        facts={[
          ['Ends on', <Time key="ends" value={preview.endsOn} />],
          ['Interest', <Money key="interest" value={preview.interest} />],
          ['Penalty', <Money key="penalty" value={preview.penalty} />],
          ['Paid out', <Money key="paid" value={preview.paidOut} />],
        ]}
      />
    </div>
  )
}
