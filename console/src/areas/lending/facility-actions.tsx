import { LinkButton } from '../../parts/links.tsx'
import { useMay } from '../../session/session.ts'
import type { FacilityRowFragment } from './queries.generated.ts'

const repaidStates = ['ACTIVE', 'IN_ARREARS', 'MATURED']

/** What a person can do with a facility in its state. */
export function FacilityActions({ facility }: { facility: FacilityRowFragment }) {
  const { facilityId, kind, state, available } = facility
  const params = { facilityId }
  if (!useMay()('lending:write')) return null
  const isOwed = repaidStates.includes(state)
  const isLoan = kind !== 'REVOLVING'
  const canDraw = ['APPROVED', 'ACTIVE'].includes(state) && Number(available.amount) > 0
  return (
    <>
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
