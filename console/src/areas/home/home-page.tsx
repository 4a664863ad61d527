import { useSession } from '../../session/session.ts'
import { CustomerHome } from './customer-home.tsx'
import { StaffHome } from './staff-home.tsx'

/** The first page: a customer's money, or what waits for an employee. */
export function HomePage() {
  const { partyId } = useSession().person
  return partyId === null ? <StaffHome /> : <CustomerHome />
}
