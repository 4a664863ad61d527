import { Group, Stack } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { State } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { RetryRateResetLetterDocument, type FacilityDetailsQuery } from './queries.generated.ts'

type Facility = NonNullable<FacilityDetailsQuery['facility']>
type Letter = NonNullable<
  NonNullable<NonNullable<Facility['rateResets']>[number]['letters']>[number]
>

/** The states in which a letter waits for somebody who tries it again. */
const failedStates: readonly string[] = ['FAILED', 'UNDELIVERED', 'NOT_STORED']

/** The letters about a reset: their documents, and for the bank their states. */
export const ResetLetters = ({ letters }: { letters: readonly Letter[] }) => (
  <Stack gap="xs">
    {letters.map((letter) => (
      <ResetLetter key={letter.rateResetLetterId} letter={letter} />
    ))}
  </Stack>
)

function ResetLetter({
  letter: { rateResetLetterId, state, failureCode, party, notification, document },
}: {
  letter: Letter
}) {
  const isEmployee = useSession().person.partyId === null
  const canWrite = useMay()('lending:write')
  return (
    <Group gap="xs">
      {isEmployee && party && <CustomerLink party={party} />}
      {isEmployee && <State value={state} />}
      {failureCode && <span>{readable(failureCode)}</span>}
      {isEmployee && notification && (
        <AppLink
          to="/notifications/$notificationId"
          params={{ notificationId: notification.notificationId }}
        >
          Message
        </AppLink>
      )}
      {document && (
        <AppLink to="/documents/$documentId" params={{ documentId: document.documentId }}>
          Letter
        </AppLink>
      )}
      {isEmployee && canWrite && failedStates.includes(state) && (
        <NotifyingButton
          size="compact-sm"
          variant="default"
          id={`retry:${rateResetLetterId}`}
          mutation={RetryRateResetLetterDocument}
          variables={{ rateResetLetterId }}
          done="The letter is tried again"
        >
          Try again
        </NotifyingButton>
      )}
    </Group>
  )
}
