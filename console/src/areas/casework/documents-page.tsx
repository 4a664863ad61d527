import { NotFound } from '../../app/faults.tsx'
import { useChangesOfType } from '../../graph/events.ts'
import { Page } from '../../parts/page.tsx'
import { useSession } from '../../session/session.ts'
import { DocumentList } from './document-list.tsx'

/** A customer's documents at the bank. Employees find documents at their customers and cases. */
export function DocumentsPage() {
  const { partyId } = useSession().person
  useChangesOfType(['casework.*'])
  if (partyId === null) return <NotFound />
  return (
    <Page title="Your documents" lead="What you sent to the bank, and what it shares with you.">
      <DocumentList partyId={partyId} />
    </Page>
  )
}
