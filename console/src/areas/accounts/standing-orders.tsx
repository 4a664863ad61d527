import { useQuery } from '@apollo/client/react'
import { Group, Text } from '@mantine/core'
import { CommandButton } from '../../parts/command-button.tsx'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  AccountStandingOrdersDocument,
  CancelStandingOrderDocument,
  PauseStandingOrderDocument,
  ResumeStandingOrderDocument,
  type AccountStandingOrdersQuery,
} from './queries.generated.ts'

type StandingOrder = NonNullable<AccountStandingOrdersQuery['standingOrders']>['nodes'][number]

const columns: readonly Column<StandingOrder>[] = [
  {
    title: 'To',
    cell: ({ creditorName, creditorIban, remittanceInformation }) => (
      <>
        {creditorName ?? creditorIban}
        <Text size="sm" c="dimmed">
          {remittanceInformation}
        </Text>
      </>
    ),
  },
  { title: 'Every', cell: ({ frequency }) => readable(frequency) },
  { title: 'Next', cell: ({ nextOn }) => <Time value={nextOn} /> },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
]

const changes: Column<StandingOrder> = {
  title: 'Changes',
  cell: ({ standingOrderId, state }) => (
    <Group gap="xs" wrap="nowrap">
      {state === 'ACTIVE' && (
        <CommandButton
          id={`pause:${standingOrderId}`}
          mutation={PauseStandingOrderDocument}
          variables={{ standingOrderId }}
          size="xs"
          variant="default"
        >
          Pause
        </CommandButton>
      )}
      {state === 'PAUSED' && (
        <CommandButton
          id={`resume:${standingOrderId}`}
          mutation={ResumeStandingOrderDocument}
          variables={{ standingOrderId }}
          size="xs"
          variant="default"
        >
          Continue
        </CommandButton>
      )}
      {(state === 'ACTIVE' || state === 'PAUSED') && (
        <CommandButton
          id={`cancel:${standingOrderId}`}
          mutation={CancelStandingOrderDocument}
          variables={{ standingOrderId }}
          size="xs"
          variant="default"
        >
          Cancel
        </CommandButton>
      )}
    </Group>
  ),
}

/** The payments that the bank repeats at regular intervals. */
export function StandingOrders({ arrangementId }: { arrangementId: string }) {
  const { data, error } = useQuery(AccountStandingOrdersDocument, { variables: { arrangementId } })
  const mayChange = useMay()('postings:write')
  return (
    <Section
      title="Standing orders"
      actions={
        mayChange && (
          <LinkButton
            to="/accounts/$arrangementId/standing-order"
            params={{ arrangementId }}
            size="xs"
            variant="light"
          >
            New standing order
          </LinkButton>
        )
      }
    >
      <ConnectionTable
        error={error}
        label="Standing orders"
        connection={data?.standingOrders}
        columns={mayChange ? [...columns, changes] : columns}
        keyOf={({ standingOrderId }) => standingOrderId}
        empty="No payment of this account is repeated."
      />
    </Section>
  )
}
