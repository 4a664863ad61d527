import { useQuery } from '@apollo/client/react'
import { Button, Modal, Select, TagsInput, Text, TextInput } from '@mantine/core'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { mediumOptions } from './media.ts'
import {
  ActivateChannelDocument,
  ChannelsDocument,
  CreateChannelDocument,
  DeactivateChannelDocument,
  type ChannelsQuery,
  type InteractionChannel,
} from './queries.generated.ts'
import { useTabState } from './tab-state.ts'

type Channel = NonNullable<ChannelsQuery['channels']>['nodes'][number]

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
          {opensAt && (
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
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      <ConnectionTable
        label="Channels"
        connection={(data ?? previousData)?.channels}
        columns={columns}
        keyOf={({ channelId }) => channelId}
        after={after}
        onPage={(cursor) => change({ after: cursor })}
        empty="Customers cannot reach the bank yet. Register a channel."
      />
      <Modal opened={dialog === 'channel'} onClose={close} title="New channel">
        <ChannelForm onClose={close} />
      </Modal>
    </Section>
  )
}

function Steps({ channel: { channelId, status, name } }: { channel: Channel }) {
  const may = useMay()
  if (!may('routing:write')) return <Missing />
  const button = { variables: { channelId }, size: 'xs', variant: 'default' } as const
  const whose = <span className="visually-hidden"> {name}</span>
  return status === 'ACTIVE' ? (
    <CommandButton id={`deactivate:${channelId}`} mutation={DeactivateChannelDocument} {...button}>
      Deactivate{whose}
    </CommandButton>
  ) : (
    <CommandButton id={`activate:${channelId}`} mutation={ActivateChannelDocument} {...button}>
      Activate{whose}
    </CommandButton>
  )
}

const ChannelForm = ({ onClose }: { onClose: () => void }) => (
  <CommandForm
    id="channel:new"
    mutation={CreateChannelDocument}
    initialValues={{
      name: '',
      medium: 'VOICE' as InteractionChannel,
      capabilities: [] as string[],
    }}
    validate={({ name }) => (name.trim() ? {} : { name: 'Required.' })}
    variables={({ name, medium, capabilities }) => ({
      input: { name: name.trim(), medium, capabilities },
    })}
    submitLabel="Register the channel"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <>
        <TextInput label="Name" required {...form.getInputProps('name')} />
        <Select
          label="Medium"
          allowDeselect={false}
          data={mediumOptions}
          {...form.getInputProps('medium')}
        />
        <TagsInput
          label="Capabilities"
          description="Press Enter after each."
          {...form.getInputProps('capabilities')}
        />
      </>
    )}
  </CommandForm>
)
