import { Accordion, Badge, Button, Code, CopyButton, Drawer, Group, Text } from '@mantine/core'
import { useSyncExternalStore } from 'react'
import { useNavigate } from '@tanstack/react-router'
import { explored } from '../graph/explored.ts'
import { Empty } from '../parts/page.tsx'
import { record, type RecordedOperation } from '../graph/record.ts'

/** Lists what the page asked the graph, newest first, with a command that repeats each operation. */
export default function QueriesDrawer({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate()
  const operations = useSyncExternalStore(record.subscribe, record.get)
  return (
    <Drawer opened onClose={onClose} position="right" size="lg" title="Queries of this page">
      {operations.length === 0 && <Empty>This page has not asked the graph for anything.</Empty>}
      <Accordion>
        {operations.map((operation) => (
          <Accordion.Item key={operation.id} value={String(operation.id)}>
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
                <Copy label="Copy as cURL" text={curlOf(operation)} />
                <Button
                  size="xs"
                  variant="default"
                  onClick={() => {
                    explored.choose(operation.text, operation.variables)
                    onClose()
                    void navigate({ to: '/explorer' })
                  }}
                >
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
        ))}
      </Accordion>
    </Drawer>
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

/** Returns a command for a POSIX shell that sends the operation with a token from `$TOKEN`. */
function curlOf({ text: query, variables, kind }: RecordedOperation): string {
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  return [
    `curl ${location.origin}/graphql`,
    '-H "authorization: Bearer $TOKEN"',
    "-H 'content-type: application/json'",
    ...(kind === 'mutation' ? ['-H "idempotency-key: $(uuidgen)"'] : []),
    `-d ${quoted(JSON.stringify({ query, variables }))}`,
  ].join(' \\\n  ')
}
