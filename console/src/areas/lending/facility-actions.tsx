import { Button, Modal } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { LinkButton } from '../../parts/links.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { LossForm } from './loss-form.tsx'
import type { FacilityRowFragment } from './queries.generated.ts'

const repaidStates = ['ACTIVE', 'IN_ARREARS', 'MATURED']

/** What a person can do with a facility in its state. */
export function FacilityActions({ facility }: { facility: FacilityRowFragment }) {
  const { facilityId, kind, state, available } = facility
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
        <ProposeLoss facilityId={facilityId} state={state} />
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

function ProposeLoss({ facilityId, state }: { facilityId: string; state: string }) {
  const { dialog } = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (name: string | undefined) =>
    void navigate({ to: '.', search: (old) => ({ ...old, dialog: name }), resetScroll: false })
  return (
    <>
      <Button variant="default" color="red" onClick={() => open('loss')}>
        Propose a loss
      </Button>
      <Modal opened={dialog === 'loss'} onClose={() => open(undefined)} title="Propose a loss">
        <LossForm facilityId={facilityId} state={state} onClose={() => open(undefined)} />
      </Modal>
    </>
  )
}
