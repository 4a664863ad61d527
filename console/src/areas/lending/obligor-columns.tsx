import { Group, Stack, Text } from '@mantine/core'
import { ConfirmedStep } from '../../parts/confirmed-step.tsx'
import { readable } from '../../parts/format.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import type { Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import type { Rights } from './history-columns.tsx'
import {
  ApproveObligorReleaseDocument,
  ProposeObligorReleaseDocument,
  RejectObligorReleaseDocument,
  type FacilityObligorsQuery,
} from './queries.generated.ts'

type Obligor = NonNullable<
  NonNullable<FacilityObligorsQuery['facility']>['obligors']
>['nodes'][number]

export const obligorColumns = (rights: Rights): readonly Column<Obligor>[] => [
  { title: 'Party', cell: ({ party }) => party?.displayName ?? party?.partyId ?? '' },
  { title: 'Role', cell: ({ role }) => readable(role) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Last day', cell: ({ validUntil }) => validUntil && <Time value={validUntil} /> },
  {
    title: 'Liable for',
    isNumeric: true,
    cell: ({ guaranteed }) => <Money value={guaranteed} />,
  },
  { title: 'Called', cell: ({ guaranteeCalls }) => <Calls calls={guaranteeCalls?.nodes ?? []} /> },
  {
    title: 'Actions',
    isTitleHidden: true,
    cell: (obligor) => rights.canWrite && rights.isEmployee && <ReleaseSteps obligor={obligor} />,
  },
]

type Call = NonNullable<Obligor['guaranteeCalls']>['nodes'][number]

const Calls = ({ calls }: { calls: readonly Call[] }) => (
  <Stack gap={0}>
    {calls
      .filter(({ status }) => status === 'OPEN')
      .map(({ guaranteeCallId, amount, received, dueOn }) => (
        <Text key={guaranteeCallId} size="sm">
          <Money value={received} /> of <Money value={amount} /> by <Time value={dueOn} />
        </Text>
      ))}
  </Stack>
)

function ReleaseSteps({ obligor: { obligorId, status } }: { obligor: Obligor }) {
  if (status === 'ACTIVE') {
    return (
      <ConfirmedStep
        id={`release:${obligorId}`}
        label="Release"
        title="Propose the release"
        explanation="The bank loses a security, so another person decides. Until then, the obligor is liable."
        mutation={ProposeObligorReleaseDocument}
        variables={(reason) => ({ obligorId, reason: reason ?? '' })}
        hasReason
        done="Release proposed; a second person decides"
      />
    )
  }
  if (status !== 'RELEASE_PROPOSED') return null
  const step = { size: 'compact-sm', variant: 'default', variables: { obligorId } } as const
  return (
    <Group gap="xs" wrap="nowrap">
      <NotifyingButton
        {...step}
        id={`approve-release:${obligorId}`}
        mutation={ApproveObligorReleaseDocument}
        done="Obligor released"
      >
        Approve the release
      </NotifyingButton>
      <NotifyingButton
        {...step}
        id={`reject-release:${obligorId}`}
        mutation={RejectObligorReleaseDocument}
        done="Release rejected"
      >
        Reject it
      </NotifyingButton>
    </Group>
  )
}
