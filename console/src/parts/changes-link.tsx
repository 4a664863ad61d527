import { useMay, useSession } from '../session/session.ts'
import { LinkButton } from './links.tsx'

/** Leads to the audit trail of a record, such as `party/pty_1`, for employees who may read it. */
export function ChangesLink({ subject }: { subject: string }) {
  const may = useMay()
  const isEmployee = useSession().person.partyId === null
  if (!isEmployee || !may('operations:read')) return null
  return (
    <LinkButton to="/changes" search={{ subject }} variant="subtle">
      Changes
    </LinkButton>
  )
}
