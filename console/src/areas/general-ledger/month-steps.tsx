import { Alert, Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { useDialog } from '../../parts/dialog.ts'
import { LinkButton } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  CloseAccountingPeriodDocument,
  CloseFiscalYearDocument,
  ProposeAccountingPeriodReopeningDocument,
  ReopenAccountingPeriodDocument,
  SoftCloseAccountingPeriodDocument,
  WithdrawAccountingPeriodReopeningDocument,
  type AccountingPeriodPartsFragment,
} from './queries.generated.ts'

type Period = AccountingPeriodPartsFragment

interface MonthStepsProps {
  period: Period
  hasEnded: boolean
  /** Whether a later month is closed, so that this one cannot be reopened. */
  isLaterClosed: boolean
  /** Whether all earlier months are closed, or none is closed at all. */
  isNext: boolean
}

/** What an accountant can do with a month in its state: soft close, close, ask for it to be reopened. */
export function MonthSteps({ period, hasEnded, isLaterClosed, isNext }: MonthStepsProps) {
  const { accountingPeriodId, fiscalYear, state, reopeningProposedBy } = period
  const { dialog, open } = useDialog()
  if (!useMay()('accounting:write')) return null
  const variables = { accountingPeriodId }
  const isLastOfYear = accountingPeriodId.endsWith('-12')
  const close = () => open()
  return (
    <>
      {state !== 'CLOSED' && hasEnded && (
        <LinkButton to="/journal-entries/new" search={{ day: period.lastDay }} variant="default">
          New journal entry
        </LinkButton>
      )}
      {state === 'OPEN' && (
        <NotifyingButton
          id={`soft-close:${accountingPeriodId}`}
          mutation={SoftCloseAccountingPeriodDocument}
          variables={variables}
          variant="default"
          done="Month soft closed"
        >
          Soft close
        </NotifyingButton>
      )}
      {state !== 'CLOSED' && hasEnded && isLastOfYear && <YearEnd fiscalYear={fiscalYear} />}
      {state !== 'OPEN' && !isLaterClosed && reopeningProposedBy === null && (
        <Button variant="default" onClick={() => open('reopen')}>
          Propose reopening
        </Button>
      )}
      {state !== 'CLOSED' && hasEnded && isNext && (
        <Button onClick={() => open('close')}>Close the month</Button>
      )}
      <Modal
        opened={dialog === 'close' && state !== 'CLOSED'}
        onClose={close}
        title="Close the month"
      >
        <ClosingForm period={period} onClose={close} />
      </Modal>
      <Modal opened={dialog === 'reopen'} onClose={close} title="Propose reopening">
        <ReopeningForm {...variables} onClose={close} />
      </Modal>
    </>
  )
}

/** Transfers the result of the year; each call transfers what was booked since the last one. */
const YearEnd = ({ fiscalYear }: { fiscalYear: number }) => (
  <CommandButton
    id={`year-end:${fiscalYear}`}
    mutation={CloseFiscalYearDocument}
    variables={{ fiscalYear }}
    variant="default"
    onDone={({ closeFiscalYear }) => {
      const message =
        closeFiscalYear?.length === 0
          ? 'There is no result to transfer'
          : `Result of ${fiscalYear} transferred to retained earnings`
      notifications.show({ color: 'teal', message })
    }}
  >
    Close the year {fiscalYear}
  </CommandButton>
)

const ClosingForm = ({ period, onClose }: { period: Period; onClose: () => void }) => (
  <CommandForm
    id={`close:${period.accountingPeriodId}`}
    mutation={CloseAccountingPeriodDocument}
    initialValues={{}}
    variables={() => ({ accountingPeriodId: period.accountingPeriodId })}
    submitLabel="Close the month"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Month closed' })
      onClose()
    }}
  >
    {() => (
      <Text size="sm">
        The balances are stored, and nothing is booked in the month any more. Revalue positions in
        other currencies first{period.accountingPeriodId.endsWith('-12') && ', then close the year'}
        . Reopening the month takes two people.
      </Text>
    )}
  </CommandForm>
)

interface ReopeningFormProps {
  accountingPeriodId: string
  onClose: () => void
}

const ReopeningForm = ({ accountingPeriodId, onClose }: ReopeningFormProps) => (
  <CommandForm
    id={`reopen:${accountingPeriodId}`}
    mutation={ProposeAccountingPeriodReopeningDocument}
    initialValues={{ reason: '' }}
    validate={({ reason }) => ({ ...(!reason.trim() && { reason: 'Required.' }) })}
    variables={({ reason }) => ({ accountingPeriodId, reason: reason.trim() })}
    submitLabel="Propose"
    onCancel={onClose}
    onDone={() => {
      notifications.show({ color: 'teal', message: 'Reopening proposed' })
      onClose()
    }}
  >
    {(form) => (
      <Stack>
        <Text size="sm">
          Another person approves it. Of the closed months, only the last one can be reopened.
        </Text>
        <Textarea label="Reason" autosize required {...form.getInputProps('reason')} />
      </Stack>
    )}
  </CommandForm>
)

/** A proposal to reopen a month, which its author can withdraw and another person can approve. */
export function ReopeningProposal({ period }: { period: Period }) {
  const { accountingPeriodId, reopeningProposedBy, reopeningReason } = period
  const may = useMay()
  const isOwn = useSession().person.username === reopeningProposedBy
  const variables = { accountingPeriodId }
  return (
    <Alert color="yellow" title={`Reopening proposed by ${reopeningProposedBy}`}>
      <Stack gap="sm">
        <Text size="sm">{reopeningReason}</Text>
        <Group gap="sm">
          {may('accounting:approve') && !isOwn && (
            <NotifyingButton
              id={`approve-reopening:${accountingPeriodId}`}
              mutation={ReopenAccountingPeriodDocument}
              variables={variables}
              size="xs"
              done="Month reopened"
            >
              Reopen the month
            </NotifyingButton>
          )}
          {may('accounting:write') && (
            <NotifyingButton
              id={`withdraw-reopening:${accountingPeriodId}`}
              mutation={WithdrawAccountingPeriodReopeningDocument}
              variables={variables}
              size="xs"
              variant="default"
              done="Proposal withdrawn"
            >
              Withdraw the proposal
            </NotifyingButton>
          )}
          {may('accounting:approve') && isOwn && <Text size="sm">Another person decides.</Text>}
        </Group>
      </Stack>
    </Alert>
  )
}
