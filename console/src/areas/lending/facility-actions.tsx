import { Button, Modal } from '@mantine/core'
import type { ReactNode } from 'react'
import { useDialog } from '../../parts/dialog.ts'
import { LinkButton } from '../../parts/links.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { LossForm } from './loss-form.tsx'
import { ObligorForm } from './obligor-form.tsx'
import { PromiseForm } from './promise-form.tsx'
import type { FacilityRowFragment } from './queries.generated.ts'

const endedStates = ['MATURED', 'PAID_OFF', 'RECOVERED', 'WRITTEN_OFF', 'CANCELLED']
const repaidStates = ['ACTIVE', 'IN_ARREARS', 'MATURED']

/** What a person can do with a facility in its state. */
export function FacilityActions({ facility }: { facility: FacilityRowFragment }) {
  const { facilityId, kind, state, available, delinquency } = facility
  const params = { facilityId }
  const may = useMay()
  const isOwed = repaidStates.includes(state)
  const isLoan = kind !== 'REVOLVING'
  const isEmployee = useSession().person.partyId === null
  const canDraw = ['APPROVED', 'ACTIVE'].includes(state) && Number(available.amount) > 0
  if (!may('lending:write')) return null
  return (
    <>
      {isEmployee && ['IN_ARREARS', 'MATURED', 'CHARGED_OFF'].includes(state) && (
        <FormInDialog name="loss" label="Propose a loss" color="red">
          {(onClose) => <LossForm facilityId={facilityId} state={state} onClose={onClose} />}
        </FormInDialog>
      )}
      {isEmployee && !endedStates.includes(state) && (
        <FormInDialog name="obligor" label="Add an obligor">
          {(onClose) => (
            <ObligorForm facilityId={facilityId} currency={available.currency} onClose={onClose} />
          )}
        </FormInDialog>
      )}
      {isOwed && Number(delinquency.arrears.amount) > 0 && (
        <FormInDialog name="promise" label="Promise a payment">
          {(onClose) => (
            <PromiseForm facilityId={facilityId} arrears={delinquency.arrears} onClose={onClose} />
          )}
        </FormInDialog>
      )}
      {isOwed && isLoan && (
        <>
          <LinkButton to="/facilities/$facilityId/relief" params={params} variant="default">
            Ask for relief
          </LinkButton>
          <LinkButton
            to="/facilities/$facilityId/payment-holiday"
            params={params}
            variant="default"
          >
            Payment holiday
          </LinkButton>
        </>
      )}
      {isOwed && (
        <LinkButton
          to="/facilities/$facilityId/extra-payment"
          params={params}
          variant={canDraw ? 'default' : 'filled'}
        >
          Extra payment
        </LinkButton>
      )}
      {canDraw && (
        <LinkButton to="/facilities/$facilityId/drawdown" params={params}>
          {state === 'APPROVED' && isLoan ? 'Pay out the loan' : 'Draw money'}
        </LinkButton>
      )}
    </>
  )
}

interface FormInDialogProps {
  /** The name of the dialog in the address of the page. */
  name: string
  label: string
  color?: string
  children: (onClose: () => void) => ReactNode
}

/** A button that opens a form. */
function FormInDialog({ name, label, color, children }: FormInDialogProps) {
  const { dialog, open } = useDialog()
  const close = () => open()
  return (
    <>
      <Button variant="default" {...(color && { color })} onClick={() => open(name)}>
        {label}
      </Button>
      <Modal opened={dialog === name} onClose={close} title={label}>
        {children(close)}
      </Modal>
    </>
  )
}
