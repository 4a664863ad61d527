import { Group } from '@mantine/core'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import {
  ApproveOverdraftWriteOffDocument,
  RejectOverdraftWriteOffDocument,
  type OverdraftWriteOffPartsFragment,
} from './queries.generated.ts'

/** A write-off of an overdraft, as it is listed. */
export type WriteOff = OverdraftWriteOffPartsFragment

/** The columns of write-offs: what the account owed, what came back since, and who decided. */
export const writeOffColumns: readonly Column<WriteOff>[] = [
  {
    title: 'Proposed',
    cell: ({ createdAt, proposedBy }) => (
      <>
        <Time value={createdAt.slice(0, 10)} /> by {proposedBy}
      </>
    ),
  },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Recovered',
    isNumeric: true,
    cell: ({ state, recovered }) => state === 'APPROVED' && <Money value={recovered} />,
  },
  {
    title: 'Not recovered',
    isNumeric: true,
    cell: ({ state, unrecovered }) => state === 'APPROVED' && <Money value={unrecovered} />,
  },
  { title: 'Decision', cell: (writeOff) => <Decision writeOff={writeOff} /> },
]

/** Who decided on a write-off; while it is proposed, the decision of another person. */
function Decision({ writeOff }: { writeOff: WriteOff }) {
  const { overdraftWriteOffId, state, proposedBy, decidedBy } = writeOff
  const { username } = useSession().person
  const canWrite = useMay()('accounts:write')
  if (state !== 'PROPOSED') return decidedBy
  if (!canWrite) return null
  if (proposedBy === username) return 'Another person decides'
  const step = { size: 'compact-sm', variables: { overdraftWriteOffId } } as const
  return (
    <Group gap="xs" wrap="nowrap">
      <NotifyingButton
        {...step}
        id={`approve:${overdraftWriteOffId}`}
        mutation={ApproveOverdraftWriteOffDocument}
        done="Overdraft written off"
      >
        Approve
      </NotifyingButton>
      <NotifyingButton
        {...step}
        variant="default"
        id={`reject:${overdraftWriteOffId}`}
        mutation={RejectOverdraftWriteOffDocument}
        done="Write-off rejected"
      >
        Reject
      </NotifyingButton>
    </Group>
  )
}
