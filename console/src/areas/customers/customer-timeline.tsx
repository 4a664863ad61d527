import { Code, Text, Timeline } from '@mantine/core'
import { useEvents, type BankEvent } from '../../graph/events.ts'
import { formatTime } from '../../parts/format.ts'
import { Empty, Section } from '../../parts/page.tsx'

/** What happened to a customer, the newest first; new events appear at once. */
export function CustomerTimeline({ subjects }: { subjects: readonly string[] }) {
  const { events } = useEvents({ subjects, after: '0' }, 200)
  return (
    <Section title="Timeline">
      {events.length === 0 && <Empty>Nothing has happened to this customer yet.</Empty>}
      <Timeline bulletSize={14} lineWidth={2} active={events.length}>
        {events.map((event) => (
          <TimelineItem key={event.eventId} event={event} />
        ))}
      </Timeline>
    </Section>
  )
}

const TimelineItem = ({ event: { type, time, actor, data } }: { event: BankEvent }) => (
  <Timeline.Item title={type}>
    <Text size="sm" c="dimmed">
      {formatTime(time)} · by {actor}
    </Text>
    <details>
      <summary>Data</summary>
      <Code block>{JSON.stringify(data, null, 2)}</Code>
    </details>
  </Timeline.Item>
)
