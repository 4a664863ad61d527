import { Group } from '@mantine/core'
import { ConfirmedStep } from '../../parts/confirmed-step.tsx'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import {
  ApproveDrawdownDocument,
  CancelDrawdownDocument,
  DeclineDrawdownDocument,
  ReverseDrawdownDocument,
  ReverseRepaymentDocument,
  type DrawdownsQuery,
  type FacilityHardshipRequestsQuery,
  type RepaymentsQuery,
} from './queries.generated.ts'

/** What the person who looks at a facility may do with the requests on it. */
export interface Rights {
  canWrite: boolean
  isEmployee: boolean
}

type Repayment = NonNullable<
  NonNullable<RepaymentsQuery['facility']>['repayments']
>['nodes'][number]
type Drawdown = NonNullable<NonNullable<DrawdownsQuery['facility']>['drawdowns']>['nodes'][number]
type Hardship = NonNullable<
  NonNullable<FacilityHardshipRequestsQuery['facility']>['hardshipRequests']
>['nodes'][number]

export const repaymentColumns = ({
  canWrite,
  isEmployee,
}: Rights): readonly Column<Repayment>[] => [
  { title: 'Date', cell: ({ paymentDate }) => <Time value={paymentDate} /> },
  {
    title: 'Installments',
    cell: ({ allocations }) =>
      [...new Set(allocations.map(({ installment }) => installment))].join(', '),
  },
  { title: 'How', cell: ({ isCollected }) => (isCollected ? 'Collected' : 'Paid in') },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  ...(canWrite && isEmployee
    ? [
        {
          title: 'Actions',
          isTitleHidden: true,
          cell: ({ repaymentId, status }: Repayment) =>
            status === 'APPLIED' && (
              <ConfirmedStep
                id={`reverse:${repaymentId}`}
                label="Reverse"
                title="Reverse the repayment"
                explanation="The installments are open again, as if the money had not arrived, for example because a direct debit was returned."
                mutation={ReverseRepaymentDocument}
                variables={() => ({ repaymentId })}
                done="Repayment reversed"
              />
            ),
        },
      ]
    : []),
]

export const drawdownColumns = ({ canWrite, isEmployee }: Rights): readonly Column<Drawdown>[] => [
  { title: 'Value date', cell: ({ valueDate }) => <Time value={valueDate} /> },
  { title: 'Purpose', cell: ({ purpose }) => purpose },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: ({ drawdownId, status }) =>
      canWrite && (
        <Group gap="xs">
          {isEmployee && status === 'REQUESTED' && (
            <NotifyingButton
              size="compact-sm"
              id={`approve:${drawdownId}`}
              mutation={ApproveDrawdownDocument}
              variables={{ drawdownId }}
              done="Drawdown approved"
            >
              Approve
            </NotifyingButton>
          )}
          {['REQUESTED', 'APPROVED'].includes(status) && (
            <NotifyingButton
              size="compact-sm"
              variant="default"
              id={`cancel:${drawdownId}`}
              mutation={CancelDrawdownDocument}
              variables={{ drawdownId }}
              done="Drawdown canceled"
            >
              Cancel
            </NotifyingButton>
          )}
          {isEmployee && status === 'REQUESTED' && (
            <ConfirmedStep
              id={`decline:${drawdownId}`}
              label="Decline"
              title="Decline the drawdown"
              explanation="The money is not paid out. The customer can request another drawdown."
              mutation={DeclineDrawdownDocument}
              variables={(reasonCode) => ({ drawdownId, reasonCode })}
              hasReason
              done="Drawdown declined"
            />
          )}
          {isEmployee && status === 'DISBURSED' && (
            <ConfirmedStep
              id={`reverse:${drawdownId}`}
              label="Reverse"
              title="Reverse the drawdown"
              explanation="The payout is reversed in the books, and the schedule is as if the drawdown had not been made."
              mutation={ReverseDrawdownDocument}
              variables={() => ({ drawdownId })}
              done="Drawdown reversed"
            />
          )}
        </Group>
      ),
  },
]

export const hardshipColumns: readonly Column<Hardship>[] = [
  {
    title: 'Request',
    cell: ({ hardshipRequestId, type }) => (
      <AppLink to="/hardship/$hardshipRequestId" params={{ hardshipRequestId }}>
        {readable(type)}
      </AppLink>
    ),
  },
  { title: 'Submitted', cell: ({ submittedAt }) => <Time value={submittedAt} /> },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
]
