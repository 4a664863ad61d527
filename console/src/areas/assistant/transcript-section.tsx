import { useQuery } from '@apollo/client/react'
import { Alert, Button, Code, Text } from '@mantine/core'
import { useState } from 'react'
import { Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Time } from '../../parts/values.tsx'
import { AssistTranscriptDocument, type AssistTranscriptQuery } from './queries.generated.ts'

type TranscriptLine = NonNullable<
  NonNullable<AssistTranscriptQuery['assistSession']>['transcript']
>[number]

/** The proof that nothing was changed afterward: every step in a chain of hashes. */
export function TranscriptSection({ sessionId }: { sessionId: string }) {
  const [isShown, setIsShown] = useState(false)
  return (
    <Section
      title="Transcript"
      description="Every step, with personal data masked. Each line carries a hash of the line before it."
      actions={
        !isShown && (
          <Button variant="default" size="xs" onClick={() => setIsShown(true)}>
            Verify the transcript
          </Button>
        )
      }
    >
      {isShown && <Transcript sessionId={sessionId} />}
    </Section>
  )
}

const columns: readonly Column<TranscriptLine>[] = [
  { title: 'Line', isNumeric: true, cell: ({ sequence }) => sequence },
  { title: 'Time', cell: ({ at }) => <Time value={at} /> },
  {
    title: 'Step',
    cell: ({ kind, body }) => (
      <>
        <Text size="sm" fw={600}>
          {kind}
        </Text>
        <Code className="line">{JSON.stringify(body)}</Code>
      </>
    ),
  },
  { title: 'Hash', cell: ({ hash }) => <Code title={hash}>{hash.slice(0, 12)}…</Code> },
]

function Transcript({ sessionId }: { sessionId: string }) {
  const [after, setAfter] = useState<string | undefined>()
  const { data, previousData, error } = useQuery(AssistTranscriptDocument, {
    variables: { sessionId, after: Number(after ?? 0) },
  })
  const { verifyAssistTranscript: proof, assistSession } = data ?? previousData ?? {}
  if (error) return <ProblemAlert error={error} />
  if (!proof) return <Lines />
  const nodes = assistSession?.transcript ?? []
  const last = nodes.at(-1)?.sequence ?? 0
  return (
    <>
      <Alert
        color={proof.isComplete ? 'teal' : 'red'}
        title={proof.isComplete ? 'The transcript is complete' : 'The transcript was changed'}
        mb="md"
      >
        {proof.isComplete
          ? `The bank recalculated the hashes of all ${proof.lines} lines, and they match.`
          : `The first line whose hash does not match is line ${proof.firstBadLine}.`}
      </Alert>
      <ConnectionTable
        label="Transcript"
        connection={{
          nodes,
          pageInfo: { hasNextPage: last < proof.lines, endCursor: String(last) },
        }}
        columns={columns}
        keyOf={({ sequence }) => String(sequence)}
        after={after}
        onPage={setAfter}
        empty="The transcript has no lines."
      />
    </>
  )
}
