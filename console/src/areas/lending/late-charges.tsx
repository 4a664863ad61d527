import { Button, Modal, Select, Stack, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandForm } from '../../parts/command-form.tsx'
import { useDialog } from '../../parts/dialog.ts'
import { formatMoney, formatRate } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { Money, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { difference } from './amounts.ts'
import { LateChargePauses } from './late-charge-pauses.tsx'
import {
  WaiveLateChargesDocument,
  type FacilityDetailsQuery,
  type LateChargeWaiverReason,
} from './queries.generated.ts'

type Facility = NonNullable<FacilityDetailsQuery['facility']>
type Terms = NonNullable<Facility['lateCharges']>
type Installment = Facility['schedule'][number]

/** What late payment costs and has cost so far; nothing if it costs nothing. */
export function LateCharges({ facility }: { facility: Facility }) {
  const { facilityId, currency, lateCharges, schedule } = facility
  const { dialog, open } = useDialog()
  const may = useMay()
  const canWaive = useSession().person.partyId === null && may('lending:write')
  if (!lateCharges) return null
  const charged = schedule.filter(({ lateFee, defaultInterest, lateChargesPaid }) =>
    [lateFee, defaultInterest, lateChargesPaid].some((amount) => Number(amount) > 0),
  )
  const waived = charged.find((each) => dialogOf(each) === dialog)
  const close = () => open()
  return (
    <Section title="Late charges" description={describe(lateCharges)}>
      {charged.length === 0 ? (
        <Text c="dimmed">Nothing has been charged.</Text>
      ) : (
        <RowTable
          label="Late charges"
          rows={charged}
          columns={columnsFor(currency, canWaive ? (each) => open(dialogOf(each)) : null)}
          keyOf={({ number }) => String(number)}
        />
      )}
      <LateChargePauses facility={facility} canPause={canWaive} />
      <Modal opened={canWaive && waived !== undefined} onClose={close} title="Waive late charges">
        {waived && (
          <WaiverForm
            facilityId={facilityId}
            installment={waived.number}
            unpaid={formatMoney(unpaidOf(waived, currency))}
            onClose={close}
          />
        )}
      </Modal>
    </Section>
  )
}

const dialogOf = ({ number }: Installment) => `waive-${number}`

function unpaidOf({ lateFee, defaultInterest, lateChargesPaid }: Installment, currency: string) {
  const money = (amount: string) => ({ amount, currency })
  return difference(money(lateFee), difference(money(lateChargesPaid), money(defaultInterest)))
}

/** Such as `5% of each late installment, at least €10.00, and 8.27% a year on overdue principal.` */
function describe(terms: Terms): string {
  const { fee, defaultInterestPct, defaultInterestBase, graceDays, maximumPct } = terms
  const base = defaultInterestBase === 'PRINCIPAL' ? 'overdue principal' : 'overdue installments'
  const parts = [
    fee && describeFee(fee),
    Number(defaultInterestPct) > 0 && `${formatRate(defaultInterestPct)} a year on ${base}`,
  ]
  const grace =
    graceDays > 0
      ? ` Nothing is charged while an installment is at most ${graceDays} days late.`
      : ''
  const cap = maximumPct === null ? '' : ` At most ${formatRate(maximumPct)} of an installment.`
  return `${parts.filter(Boolean).join(', and ')}.${grace}${cap}`
}

function describeFee({ amount, percent, minimum, maximum }: NonNullable<Terms['fee']>): string {
  if (amount) return `${formatMoney(amount)} for each late installment`
  if (percent === null) return 'A fee for each late installment'
  const from = minimum ? `, at least ${formatMoney(minimum)}` : ''
  const to = maximum ? `, at most ${formatMoney(maximum)}` : ''
  return `${formatRate(percent)} of each late installment${from}${to}`
}

function columnsFor(
  currency: string,
  onWaive: ((installment: Installment) => void) | null,
): Column<Installment>[] {
  const amount = (title: string, name: 'lateFee' | 'defaultInterest' | 'lateChargesPaid') => ({
    title,
    isNumeric: true,
    cell: (installment: Installment) => <Money value={{ amount: installment[name], currency }} />,
  })
  const waiver: Column<Installment> = {
    title: 'Waiver',
    cell: (installment) =>
      Number(unpaidOf(installment, currency).amount) > 0 && (
        <Button size="compact-sm" variant="default" onClick={() => onWaive?.(installment)}>
          Waive
        </Button>
      ),
  }
  return [
    { title: 'Installment', cell: ({ number }) => number },
    { title: 'Due on', cell: ({ dueDate }) => <Time value={dueDate} /> },
    amount('Late fee', 'lateFee'),
    amount('Default interest', 'defaultInterest'),
    amount('Paid', 'lateChargesPaid'),
    {
      title: 'Unpaid',
      isNumeric: true,
      cell: (installment) => <Money value={unpaidOf(installment, currency)} />,
    },
    ...(onWaive ? [waiver] : []),
  ]
}

const waiverReasons: { value: LateChargeWaiverReason; label: string }[] = [
  { value: 'GOODWILL', label: 'Goodwill' },
  { value: 'BANK_ERROR', label: 'The bank caused the delay' },
  { value: 'HARDSHIP', label: 'The borrower is in financial difficulty' },
  { value: 'SETTLEMENT', label: 'Part of a settlement of the arrears' },
]

/** Waives the unpaid late charges of an installment. */
const WaiverForm = (props: {
  facilityId: string
  installment: number
  unpaid: string
  onClose: () => void
}) => (
  <CommandForm
    id={`waive:${props.facilityId}:${props.installment}`}
    mutation={WaiveLateChargesDocument}
    initialValues={{ reason: 'GOODWILL' }}
    variables={({ reason }) => ({
      input: {
        facilityId: props.facilityId,
        installment: props.installment,
        reason: reason as LateChargeWaiverReason,
      },
    })}
    submitLabel="Waive the charges"
    onCancel={props.onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Late charges waived' })
      props.onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          The bank gives up {props.unpaid} of installment {props.installment}. Default interest
          continues while the installment is overdue.
        </Text>
        <Select
          label="Reason"
          allowDeselect={false}
          data={waiverReasons}
          {...form.getInputProps('reason')}
        />
      </Stack>
    )}
  </CommandForm>
)
