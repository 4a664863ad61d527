import { Badge, Group, List, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import './assistant.css'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { Conversation } from './conversation.tsx'
import { AssistSessionDocument, CloseAssistSessionDocument } from './queries.generated.ts'
import type { Session } from './records.ts'
import { ToolCalls } from './tool-calls.tsx'
import { TranscriptSection } from './transcript-section.tsx'

/** A conversation with an assistant: the chat, what the assistant used, and the proof of both. */
export function ConversationPage() {
  const { sessionId } = useParams({ from: '/assistant/$sessionId' })
  useChanges([`assist-session/${sessionId}`])
  return (
    <Query query={AssistSessionDocument} variables={{ sessionId }}>
      {({ assistSession: session }) =>
        session ? (
          <Page
            subject={`assist-session/${sessionId}`}
            title={readable(session.assistantType)}
            lead={<Lead session={session} />}
            actions={<EndButton session={session} />}
          >
            <Conversation key={sessionId} session={session} />
            <ToolCalls calls={session.toolCalls ?? []} />
            <About session={session} />
            <TranscriptSection sessionId={sessionId} />
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

const Lead = ({ session: { status, subject, disclosure } }: { session: Session }) => (
  <>
    <Group gap="xs" mb={4}>
      <State value={status} />
      {subject && <Text size="sm">About {subject}</Text>}
    </Group>
    <Text size="sm">{disclosure}</Text>
  </>
)

function EndButton({ session: { sessionId, status } }: { session: Session }) {
  if (status !== 'ACTIVE') return null
  return (
    <CommandButton
      id={`end:${sessionId}`}
      mutation={CloseAssistSessionDocument}
      variables={{ sessionId }}
      variant="default"
    >
      End the conversation
    </CommandButton>
  )
}

const About = ({ session }: { session: Session }) => (
  <Section title="About the assistant" description="What it may use, and what it used so far.">
    <Facts
      facts={[
        ['Model', `${session.model.name} (${session.model.provider})`],
        ['Tokens', `${session.usage.inputTokens} in, ${session.usage.outputTokens} out`],
        ['Begun', <Time key="begun" value={session.createdAt} />],
        ['Expires', <Time key="expires" value={session.expiresAt} />],
        ['Ended because', session.endReason && readable(session.endReason)],
      ]}
    />
    <List mt="md" spacing={4} size="sm" listStyleType="none">
      {session.tools.map(({ name, toolClass, description }) => (
        <List.Item key={name}>
          <Badge variant="default" mr="xs" className="state">
            {readable(toolClass)}
          </Badge>
          {description}
        </List.Item>
      ))}
    </List>
  </Section>
)
