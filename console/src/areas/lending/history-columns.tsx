import { Group } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import {
  ApplyExtraPaymentDocument,
  ApproveDrawdownDocument,
  ApprovePaymentHolidayDocument,
  CancelDrawdownDocument,
  CancelExtraPaymentDocument,
  CancelPaymentHolidayDocument,
  EndPaymentHolidayDocument,
  type DrawdownsQuery,
  type ExtraPaymentsQuery,
  type FacilityHardshipRequestsQuery,
  type PaymentHolidaysQuery,
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
type ExtraPayment = NonNullable<
  NonNullable<ExtraPaymentsQuery['facility']>['extraPayments']
>['nodes'][number]
type Holiday = NonNullable<
  NonNullable<PaymentHolidaysQuery['facility']>['paymentHolidays']
>['nodes'][number]
type Hardship = NonNullable<
  NonNullable<FacilityHardshipRequestsQuery['facility']>['hardshipRequests']
>['nodes'][number]

export const repaymentColumns: readonly Column<Repayment>[] = [
  { title: 'Date', cell: ({ paymentDate }) => <Time value={paymentDate} /> },
  {
    title: 'Installments',
    cell: ({ allocations }) =>
      [...new Set(allocations.map(({ installment }) => installment))].join(', '),
  },
  { title: 'How', cell: ({ isCollected }) => (isCollected ? 'Collected' : 'Paid in') },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
]

export const drawdownColumns = ({ canWrite, isEmployee }: Rights): readonly Column<Drawdown>[] => [
  { title: 'Value date', cell: ({ valueDate }) => <Time value={valueDate} /> },
  { title: 'Purpose', cell: ({ purpose }) => purpose },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Actions',
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
        </Group>
      ),
  },
]

export const extraPaymentColumns = ({
  canWrite,
  isEmployee,
}: Rights): readonly Column<ExtraPayment>[] => [
  { title: 'Date', cell: ({ paymentDate }) => <Time value={paymentDate} /> },
  { title: 'Effect', cell: ({ strategy }) => readable(strategy) },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Interest saved',
    isNumeric: true,
    cell: ({ interestSaved }) => <Money value={interestSaved} />,
  },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Actions',
    cell: ({ extraPaymentId, status }) =>
      canWrite &&
      status === 'REQUESTED' && (
        <Group gap="xs">
          {isEmployee && (
            <NotifyingButton
              size="compact-sm"
              id={`apply:${extraPaymentId}`}
              mutation={ApplyExtraPaymentDocument}
              variables={{ extraPaymentId }}
              done="Extra payment booked"
            >
              Book
            </NotifyingButton>
          )}
          <NotifyingButton
            size="compact-sm"
            variant="default"
            id={`cancel:${extraPaymentId}`}
            mutation={CancelExtraPaymentDocument}
            variables={{ extraPaymentId }}
            done="Extra payment canceled"
          >
            Cancel
          </NotifyingButton>
        </Group>
      ),
  },
]

export const holidayColumns = ({ canWrite, isEmployee }: Rights): readonly Column<Holiday>[] => [
  {
    title: 'Period',
    cell: ({ startDate, endDate }) => (
      <>
        <Time value={startDate} /> – <Time value={endDate} />
      </>
    ),
  },
  { title: 'Kind', cell: ({ type }) => readable(type) },
  { title: 'Interest', cell: ({ interestTreatment }) => readable(interestTreatment) },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Additional cost',
    isNumeric: true,
    cell: ({ additionalCost }) => <Money value={additionalCost} />,
  },
  {
    title: 'Actions',
    cell: ({ paymentHolidayId, status }) =>
      canWrite && (
        <Group gap="xs">
          {isEmployee && status === 'REQUESTED' && (
            <NotifyingButton
              size="compact-sm"
              id={`approve:${paymentHolidayId}`}
              mutation={ApprovePaymentHolidayDocument}
              variables={{ paymentHolidayId }}
              done="Payment holiday approved"
            >
              Approve
            </NotifyingButton>
          )}
          {['REQUESTED', 'APPROVED'].includes(status) && (
            <NotifyingButton
              size="compact-sm"
              variant="default"
              id={`cancel:${paymentHolidayId}`}
              mutation={CancelPaymentHolidayDocument}
              variables={{ paymentHolidayId }}
              done="Payment holiday canceled"
            >
              Cancel
            </NotifyingButton>
          )}
          {status === 'ACTIVE' && (
            <NotifyingButton
              size="compact-sm"
              variant="default"
              id={`end:${paymentHolidayId}`}
              mutation={EndPaymentHolidayDocument}
              variables={{ paymentHolidayId }}
              done="Payment holiday ended"
            >
              End early
            </NotifyingButton>
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
