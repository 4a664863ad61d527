import { Group, Text } from '@mantine/core'
import { ConfirmedStep } from '../../parts/confirmed-step.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import {
  DeclinePaymentDocument,
  SignPaymentDocument,
  type SigningPartsFragment,
} from './queries.generated.ts'

interface SigningStepsProps {
  payment: SigningPartsFragment & { paymentId: string; state: string }
}

/** The signatures of a payment that waits for them, and what a signatory who has not signed can do. */
export function SigningSteps({
  payment: { paymentId, state, signing, signatures },
}: SigningStepsProps) {
  const { partyId, scopes } = useSession().person
  if (state !== 'PENDING_SIGNATURES' || !signing) return null
  const isSignatory = partyId !== null && signing.signatoryPartyIds.includes(partyId)
  const hasSigned = signatures.some((signature) => signature.partyId === partyId)
  return (
    <>
      <Text size="sm" c="dimmed">
        {signatures.length} of {signing.requiredSignatures} signatures, until{' '}
        <Time value={signing.expiresAt} />
      </Text>
      {isSignatory && !hasSigned && scopes.includes('postings:write') && (
        <Group gap="xs" mt={4} wrap="nowrap">
          <NotifyingButton
            size="compact-sm"
            id={`sign:${paymentId}`}
            mutation={SignPaymentDocument}
            variables={{ paymentId }}
            done="Payment signed"
          >
            Sign
          </NotifyingButton>
          <ConfirmedStep
            id={`decline:${paymentId}`}
            label="Decline"
            title="Decline the payment"
            explanation="The payment is rejected, and nobody can sign it any more."
            mutation={DeclinePaymentDocument}
            variables={() => ({ paymentId })}
            done="Payment declined"
          />
        </Group>
      )}
    </>
  )
}
