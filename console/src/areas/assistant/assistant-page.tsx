import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useSession } from '../../session/session.ts'
import { NewConversation } from './new-conversation.tsx'
import { OwnConsents } from './own-consents.tsx'
import { AssistSessionsDocument, type AssistSessionsQuery } from './queries.generated.ts'

type Session = NonNullable<AssistSessionsQuery['assistSessions']>['nodes'][number]

const columns: readonly Column<Session>[] = [
  {
    title: 'Conversation',
    cell: ({ sessionId, assistantType }) => (
      <AppLink to="/assistant/$sessionId" params={{ sessionId }}>
        {readable(assistantType)}
      </AppLink>
    ),
  },
  { title: 'About', cell: ({ subject }) => subject ?? 'Nothing in particular' },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Begun', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

/** Where a person begins a conversation with an assistant and finds the earlier ones. */
export function AssistantPage() {
  const { partyId } = useSession().person
  const lead = partyId
    ? 'Ask about your accounts and loans. It never decides, and it asks before it changes anything.'
    : 'Ask about a customer. It sees what you may see, and what it wants to change waits for approval.'
  return (
    <Page title="Assistant" lead={lead}>
      <NewConversation />
      <Conversations />
      {partyId && <OwnConsents partyId={partyId} />}
    </Page>
  )
}

function Conversations() {
  const { after } = useSearch({ from: '/assistant' })
  const navigate = useNavigate({ from: '/assistant' })
  const { data, previousData, error, refetch } = useQuery(AssistSessionsDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Section title="Your conversations">
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Your conversations"
        connection={(data ?? previousData)?.assistSessions}
        columns={columns}
        keyOf={({ sessionId }) => sessionId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor ?? '' }) })}
        empty="You have not talked to an assistant yet. Begin above."
      />
    </Section>
  )
}
