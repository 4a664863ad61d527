import { Group } from '@mantine/core'
import { ConfirmedStep } from '../../parts/confirmed-step.tsx'
import { readable } from '../../parts/format.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import {
  ApplyExtraPaymentDocument,
  ApprovePaymentHolidayDocument,
  CancelExtraPaymentDocument,
  CancelPaymentHolidayDocument,
  DeclinePaymentHolidayDocument,
  EndPaymentHolidayDocument,
  ReverseExtraPaymentDocument,
  type ExtraPaymentsQuery,
  type PaymentHolidaysQuery,
} from './queries.generated.ts'
import type { Rights } from './history-columns.tsx'

type ExtraPayment = NonNullable<
  NonNullable<ExtraPaymentsQuery['facility']>['extraPayments']
>['nodes'][number]
type Holiday = NonNullable<
  NonNullable<PaymentHolidaysQuery['facility']>['paymentHolidays']
>['nodes'][number]

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
    isTitleHidden: true,
    cell: ({ extraPaymentId, status }) =>
      canWrite && (
        <Group gap="xs">
          {isEmployee && status === 'APPLIED' && (
            <ConfirmedStep
              id={`reverse:${extraPaymentId}`}
              label="Reverse"
              title="Reverse the extra payment"
              explanation="The payment and its fee are reversed in the books, and the schedule is as if the payment had not been made."
              mutation={ReverseExtraPaymentDocument}
              variables={() => ({ extraPaymentId })}
              done="Extra payment reversed"
            />
          )}
          {isEmployee && status === 'REQUESTED' && (
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
          {status === 'REQUESTED' && (
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
          )}
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
    isTitleHidden: true,
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
          {isEmployee && status === 'REQUESTED' && (
            <ConfirmedStep
              id={`decline:${paymentHolidayId}`}
              label="Decline"
              title="Decline the payment holiday"
              explanation="The installments stay due as planned."
              mutation={DeclinePaymentHolidayDocument}
              variables={(reasonCode) => ({ paymentHolidayId, reasonCode })}
              hasReason
              done="Payment holiday declined"
            />
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
