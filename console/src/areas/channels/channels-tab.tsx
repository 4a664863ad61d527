import { useQuery } from '@apollo/client/react'
import { Button, Group, Modal, Text } from '@mantine/core'
import { CommandButton } from '../../parts/command-button.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { CreateChannelForm, UpdateChannelForm, type Channel } from './channel-form.tsx'
import {
  ActivateChannelDocument,
  ChannelsDocument,
  DeactivateChannelDocument,
} from './queries.generated.ts'
import { useTabState } from './tab-state.ts'

const columns: readonly Column<Channel>[] = [
  { title: 'Channel', cell: ({ name }) => name },
  { title: 'Medium', cell: ({ medium }) => readable(medium) },
  { title: 'Capabilities', cell: ({ capabilities }) => capabilities.join(', ') || <Missing /> },
  {
    title: 'Status',
    cell: ({ status, isOpen, opensAt }) => (
      <>
        <State value={status} />
        <Text size="sm" c="dimmed">
          {isOpen ? 'Open now' : 'Closed now'}
          {!isOpen && opensAt && (
            <>
              , opens <Time value={opensAt} />
            </>
          )}
        </Text>
      </>
    ),
  },
  { title: 'Steps', cell: (channel) => <Steps channel={channel} /> },
]

/** The ways to reach the bank, and whether they are open now. */
export function ChannelsTab() {
  const { after, dialog, change } = useTabState()
  const may = useMay()
  const { data, previousData, error, refetch } = useQuery(ChannelsDocument, {
    variables: { after: after ?? null },
  })
  const close = () => change({ dialog: '' })
  const channels = (data ?? previousData)?.channels
  const edited = channels?.nodes.find(({ channelId }) => dialog === `channel:${channelId}`)
  return (
    <Section
      title="Channels"
      actions={
        may('routing:write') && (
          <Button size="xs" variant="light" onClick={() => change({ dialog: 'channel' })}>
            New channel
          </Button>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Channels"
        connection={channels}
        columns={columns}
        keyOf={({ channelId }) => channelId}
        after={after}
        onPage={(cursor) => change({ after: cursor })}
        empty="Customers cannot reach the bank yet. Register a channel."
      />
      <Modal opened={dialog === 'channel'} onClose={close} title="New channel" size="lg">
        <CreateChannelForm onClose={close} />
      </Modal>
      <Modal opened={Boolean(edited)} onClose={close} title="Change the channel" size="lg">
        {edited && <UpdateChannelForm channel={edited} onClose={close} />}
      </Modal>
    </Section>
  )
}

function Steps({ channel: { channelId, status, name } }: { channel: Channel }) {
  const { change } = useTabState()
  const may = useMay()
  if (!may('routing:write')) return <Missing />
  const button = { variables: { channelId }, size: 'xs', variant: 'default' } as const
  const whose = <span className="visually-hidden"> {name}</span>
  return (
    <Group gap="xs" wrap="nowrap">
      <Button
        size="xs"
        variant="default"
        onClick={() => change({ dialog: `channel:${channelId}` })}
      >
        Change{whose}
      </Button>
      {status === 'ACTIVE' ? (
        <CommandButton
          id={`deactivate:${channelId}`}
          mutation={DeactivateChannelDocument}
          {...button}
        >
          Deactivate{whose}
        </CommandButton>
      ) : (
        <CommandButton id={`activate:${channelId}`} mutation={ActivateChannelDocument} {...button}>
          Activate{whose}
        </CommandButton>
      )}
    </Group>
  )
}
