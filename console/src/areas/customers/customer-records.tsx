import { useQuery } from '@apollo/client/react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { AppLink, LinkButton } from '../../parts/links.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { InteractionTable } from '../channels/interaction-table.tsx'
import {
  CustomerCasesDocument,
  CustomerMessagesDocument,
  type CustomerCasesQuery,
  type CustomerMessagesQuery,
} from './queries.generated.ts'

type Case = NonNullable<CustomerCasesQuery['cases']>['nodes'][number]
type Message = NonNullable<CustomerMessagesQuery['notifications']>['nodes'][number]

const caseColumns: readonly Column<Case>[] = [
  {
    title: 'Case',
    cell: ({ caseId, title }) => (
      <AppLink to="/cases/$caseId" params={{ caseId }}>
        {title}
      </AppLink>
    ),
  },
  { title: 'Type', cell: ({ caseType }) => readable(caseType) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Priority', cell: ({ priority }) => readable(priority) },
  { title: 'Opened', cell: ({ openedAt }) => <Time value={openedAt} /> },
]

const messageColumns: readonly Column<Message>[] = [
  { title: 'Subject', cell: ({ subject, templateCode }) => subject ?? readable(templateCode) },
  { title: 'Channel', cell: ({ channel }) => readable(channel) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Created', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

/** Returns the cursor of the address, and a function that changes it. */
export function useCursor() {
  const { after } = useSearch({ from: '/customers/$partyId' })
  const navigate = useNavigate({ from: '/customers/$partyId' })
  const onPage = (cursor: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, after: cursor }) })
  return { after, onPage }
}

/** The cases of a customer. */
export function CustomerCases({ partyId }: { partyId: string }) {
  const { after, onPage } = useCursor()
  const may = useMay()
  const { data, error } = useQuery(CustomerCasesDocument, {
    variables: { partyId, after: after ?? null },
  })
  return (
    <Section
      title="Cases"
      actions={
        may('cases:write') && (
          <LinkButton to="/cases/new" search={{ party: partyId }} size="xs" variant="light">
            Open a case
          </LinkButton>
        )
      }
    >
      <ConnectionTable
        error={error}
        label="Cases"
        connection={data?.cases}
        columns={caseColumns}
        keyOf={({ caseId }) => caseId}
        after={after}
        onPage={onPage}
        empty="There are no cases about this customer. Open one if the customer wants something."
      />
    </Section>
  )
}

/** What the bank sent to a customer. */
export function CustomerMessages({ partyId }: { partyId: string }) {
  const { after, onPage } = useCursor()
  const { data, error } = useQuery(CustomerMessagesDocument, {
    variables: { partyId, after: after ?? null },
  })
  return (
    <Section
      title="Messages"
      actions={
        <AppLink to="/mailbox/$partyId" params={{ partyId }}>
          Inbox at the bank
        </AppLink>
      }
    >
      <ConnectionTable
        error={error}
        label="Messages"
        connection={data?.notifications}
        columns={messageColumns}
        keyOf={({ notificationId }) => notificationId}
        after={after}
        onPage={onPage}
        empty="The bank has not written to this customer."
      />
    </Section>
  )
}

/** The contacts of a customer with the bank. */
export function CustomerContacts({ partyId }: { partyId: string }) {
  const { after, onPage } = useCursor()
  const may = useMay()
  return (
    <Section
      title="Contacts"
      actions={
        may('cases:write') && (
          <LinkButton to="/interactions/new" search={{ party: partyId }} size="xs" variant="light">
            New contact
          </LinkButton>
        )
      }
    >
      <InteractionTable
        filter={{ partyId }}
        after={after}
        onPage={onPage}
        empty="The bank had no contact with this customer yet. Log one, or route one to an agent."
      />
    </Section>
  )
}
