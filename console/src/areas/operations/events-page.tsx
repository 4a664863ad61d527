import { Accordion, Badge, Button, Code, Group, Text, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { useEvents, type BankEvent, type FeedState } from '../../graph/events.ts'
import { useStart } from '../../graph/position.ts'
import { formatClock } from '../../parts/format.ts'
import { Empty, Page, Section } from '../../parts/page.tsx'
import { Lines } from '../../parts/query.tsx'
import { useSession } from '../../session/session.ts'
import { SubjectLink } from '../../parts/subject-link.tsx'

/** How many events before now are shown at first. */
const history = 100
const limit = 500

const stateTexts: Record<FeedState, readonly [color: string, text: string]> = {
  connecting: ['gray', 'Connecting'],
  live: ['teal', 'Live'],
  interrupted: ['red', 'Connection lost, trying again'],
}

/** What happens in the bank, as it happens. */
export function EventsPage() {
  const { subject, types } = useSearch({ from: '/events' })
  const navigate = useNavigate({ from: '/events' })
  const isEmployee = useSession().person.partyId === null
  const start = useStart(history)
  const filter = useDebouncedCallback((name: 'subject' | 'types', value: string) => {
    void navigate({
      search: (old) => ({ ...old, [name]: value.trim() || undefined }),
      replace: true,
    })
  }, 300)
  return (
    <Page
      title="Live events"
      lead={
        isEmployee
          ? 'Every change in the bank, in the order in which it was committed.'
          : 'Every change to your accounts, loans and requests, as it happens.'
      }
    >
      <Section title="Events">
        <Group mb="md">
          <TextInput
            label="Type"
            placeholder="payments.* or an exact type"
            defaultValue={types ?? ''}
            onChange={({ currentTarget }) => filter('types', currentTarget.value)}
          />
          <TextInput
            label="Subject"
            placeholder="payment/pay_…"
            defaultValue={subject ?? ''}
            onChange={({ currentTarget }) => filter('subject', currentTarget.value)}
          />
        </Group>
        {start === undefined ? (
          <Lines />
        ) : (
          <Stream
            key={`${subject} ${types}`}
            subject={subject}
            types={types?.split(/[\s,]+/)}
            after={start}
          />
        )}
      </Section>
    </Page>
  )
}

interface StreamProps {
  subject: string | undefined
  types: readonly string[] | undefined
  after: string
}

function Stream({ subject, types, after }: StreamProps) {
  const { events, state } = useEvents({ subjects: subject ? [subject] : [], types, after }, limit)
  /** The position of the last event that is shown while the list is paused. */
  const [pausedAt, setPausedAt] = useState<bigint | null>(null)
  const isPaused = pausedAt !== null
  const shown = isPaused ? events.filter(({ position }) => BigInt(position) <= pausedAt) : events
  const waiting = events.length - shown.length
  const pause = () => setPausedAt(isPaused ? null : BigInt(events[0]?.position ?? 0))
  const [color, text] = stateTexts[state]
  return (
    <>
      <Group justify="space-between" mb="sm">
        <Badge color={color} variant="dot" component="output">
          {text}
        </Badge>
        <Button
          size="xs"
          variant="default"
          leftSection={isPaused ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          onClick={pause}
        >
          {isPaused ? `Continue${waiting ? ` (${waiting} new)` : ''}` : 'Pause'}
        </Button>
      </Group>
      {events.length === 0 && <Empty>No events yet. They appear here as they happen.</Empty>}
      <Accordion>
        {shown.map((event) => (
          <EventItem key={event.eventId} event={event} />
        ))}
      </Accordion>
    </>
  )
}

function EventItem({ event }: { event: BankEvent }) {
  const { eventId, type, subjectId, time, position, actor, correlationId, data } = event
  return (
    <Accordion.Item value={eventId}>
      <Accordion.Control>
        <Group className="event">
          <Text size="sm" c="dimmed" className="money">
            {formatClock(time)}
          </Text>
          <Text size="sm" fw={600}>
            {type}
          </Text>
          <Text size="sm" c="dimmed">
            {subjectId}
          </Text>
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Code block>{JSON.stringify(data, null, 2)}</Code>
        <Text size="sm" mt="xs">
          <SubjectLink subject={subjectId} />
        </Text>
        <Text size="xs" c="dimmed" mt="xs">
          Position {position} · by {actor} · request {correlationId}
        </Text>
      </Accordion.Panel>
    </Accordion.Item>
  )
}
