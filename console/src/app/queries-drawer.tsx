import { Accordion, Badge, Button, Code, CopyButton, Drawer, Group, Text } from '@mantine/core'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { explored } from '../graph/explored.ts'
import { Empty } from '../parts/page.tsx'
import { record, type RecordedOperation } from '../graph/record.ts'
import { graphCommand, loadOpenApi, restCommand } from './curl.ts'

/** Lists what the page asked the graph, newest first, with a command that repeats each operation. */
export default function QueriesDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const operations = useSyncExternalStore(record.subscribe, record.get)
  const [api, setApi] = useState<Awaited<ReturnType<typeof loadOpenApi>> | null>(null)
  useEffect(() => {
    // Without the description of REST, the commands of the graph are still there.
    loadOpenApi().then(setApi, () => undefined)
  }, [])
  const explore = ({ text, variables }: RecordedOperation) => {
    explored.choose(text, variables)
    onClose()
    void navigate({ to: '/explorer' })
  }
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="Queries of this page">
      {operations.length === 0 && <Empty>This page has not asked the graph for anything.</Empty>}
      <Accordion>
        {operations.map((operation) => (
          <OperationItem
            key={operation.id}
            operation={operation}
            rest={api && restCommand(operation, api)}
            onExplore={() => explore(operation)}
          />
        ))}
      </Accordion>
    </Drawer>
  )
}

interface OperationItemProps {
  operation: RecordedOperation
  /** The command that does the same over REST; null if none does, or until it is known. */
  rest: string | null
  onExplore: () => void
}

function OperationItem({ operation, rest, onExplore }: OperationItemProps) {
  return (
    <Accordion.Item value={String(operation.id)}>
      <Accordion.Control>
        <Group gap="xs">
          <Text fw={600}>{operation.name}</Text>
          <Badge variant="default">{operation.kind}</Badge>
          {operation.isFailed && <Badge color="red">failed</Badge>}
          {operation.durationMs !== null && (
            <Text size="sm" c="dimmed">
              {operation.durationMs} ms
            </Text>
          )}
        </Group>
      </Accordion.Control>
      <Accordion.Panel>
        <Code block>{operation.text}</Code>
        <Text size="sm" fw={600} mt="sm">
          Variables
        </Text>
        <Code block>{JSON.stringify(operation.variables, null, 2)}</Code>
        <Group mt="sm" gap="xs">
          <Copy label="Copy the document" text={operation.text} />
          <Copy label="Copy as cURL" text={graphCommand(operation)} />
          {rest && <Copy label="Copy as REST" text={rest} />}
          <Button size="xs" variant="default" onClick={onExplore}>
            Open in the explorer
          </Button>
        </Group>
        {operation.requestId && (
          <Text size="xs" c="dimmed" mt="xs">
            Request <Code>{operation.requestId}</Code>
          </Text>
        )}
      </Accordion.Panel>
    </Accordion.Item>
  )
}

function Copy({ label, text }: { label: string; text: string }) {
  return (
    <CopyButton value={text} timeout={1500}>
      {({ copied, copy }) => (
        <Button size="xs" variant="default" onClick={copy}>
          {copied ? 'Copied' : label}
        </Button>
      )}
    </CopyButton>
  )
}
