import { Group, Text } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  ApproveFeeRefundDocument,
  RejectFeeRefundDocument,
  type FeeChargePartsFragment,
} from './queries.generated.ts'
import { RefundProposal } from './refund-proposal.tsx'

type Charge = FeeChargePartsFragment

/** The columns of fees that were charged one by one. */
export const feeColumns: readonly Column<Charge>[] = [
  { title: 'Charged', cell: ({ occurredAt }) => <Time value={occurredAt} /> },
  {
    title: 'Fee',
    cell: ({ feeName, thirdParty }) => (thirdParty ? `${feeName} (for ${thirdParty})` : feeName),
  },
  {
    title: 'Reason',
    cell: ({ trigger, reason }) => (trigger ? readable(trigger) : reason),
  },
  { title: 'Status', cell: (charge) => <Status charge={charge} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Still owed',
    isNumeric: true,
    cell: ({ owed }) => Number(owed.amount) > 0 && <Money value={owed} />,
  },
]

/** The status, with why nothing was charged or why the fee is refunded. */
const Status = ({ charge: { status, outcomeReason, refundReason } }: { charge: Charge }) => {
  const isNotCharged = status === 'WAIVED' || status === 'FAILED'
  const isRefund = status === 'REFUND_PROPOSED' || status === 'REFUNDED'
  const why =
    (isNotCharged && outcomeReason && readable(outcomeReason)) || (isRefund && refundReason)
  return (
    <>
      <State value={status} />
      {why && (
        <Text size="sm" c="dimmed">
          {why}
        </Text>
      )}
    </>
  )
}

/** Returns the column of the refunds, which one employee proposes and another one decides; none for others. */
export function useRefundColumns(): readonly Column<Charge>[] {
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  const canPropose = isEmployee && may('fees:run')
  const canDecide = isEmployee && may('fees:approve')
  if (!canPropose && !canDecide) return []
  return [
    {
      title: 'Refund',
      cell: (charge) => {
        if (charge.status === 'CHARGED' && canPropose) return <RefundProposal charge={charge} />
        if (charge.status !== 'REFUND_PROPOSED') return null
        return canDecide ? <Decision charge={charge} /> : 'Another person decides'
      },
    },
  ]
}

function Decision({ charge: { feeChargeId } }: { charge: Charge }) {
  const step = { size: 'compact-sm', variables: { feeChargeId } } as const
  return (
    <Group gap="xs" wrap="nowrap">
      <NotifyingButton
        {...step}
        id={`approve-refund:${feeChargeId}`}
        mutation={ApproveFeeRefundDocument}
        done="Fee refunded"
      >
        Approve
      </NotifyingButton>
      <NotifyingButton
        {...step}
        variant="default"
        id={`reject-refund:${feeChargeId}`}
        mutation={RejectFeeRefundDocument}
        done="Refund rejected"
      >
        Reject
      </NotifyingButton>
    </Group>
  )
}
