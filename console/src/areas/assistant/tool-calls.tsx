import { Accordion, Group, Stack, Text } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { Empty, Section } from '../../parts/page.tsx'
import { State, Time } from '../../parts/values.tsx'
import type { ToolCallPartsFragment } from './queries.generated.ts'
import { ToolData } from './tool-data.tsx'

/** What the assistant looked up or wanted to do, and who decided on it. */
export const ToolCalls = ({ calls }: { calls: readonly ToolCallPartsFragment[] }) => (
  <Section title="What the assistant used">
    {calls.length === 0 && <Empty>It used no tool yet. Every use is listed here.</Empty>}
    <Accordion multiple>
      {calls.map((call) => (
        <Accordion.Item key={call.toolCallId} value={call.toolCallId}>
          <Accordion.Control>
            <Group gap="xs">
              <Text fw={600}>{readable(call.name)}</Text>
              <State value={call.state} />
            </Group>
          </Accordion.Control>
          <Accordion.Panel>
            <Details call={call} />
          </Accordion.Panel>
        </Accordion.Item>
      ))}
    </Accordion>
  </Section>
)

const Details = ({ call }: { call: ToolCallPartsFragment }) => (
  <Stack gap="sm">
    <Text size="sm" c="dimmed">
      Requested <Time value={call.requestedAt} />
      {call.requestedBy && ` by a message of ${call.requestedBy}`}
      {call.decidedBy && `, decided by ${call.decidedBy}`}
      {call.reason && `: ${call.reason}`}
    </Text>
    <Text size="sm" fw={600}>
      Arguments
    </Text>
    <ToolData data={call.arguments} />
    {call.result && (
      <>
        <Text size="sm" fw={600}>
          Result
        </Text>
        <ToolData data={call.result} />
      </>
    )}
  </Stack>
)
