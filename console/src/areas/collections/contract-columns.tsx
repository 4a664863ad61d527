import { AppLink, CustomerLink } from '../../parts/links.tsx'
import type { Column } from '../../parts/table.tsx'
import { Missing } from '../../parts/values.tsx'
import { FacilityLink } from '../lending/facility-link.tsx'

/** A contract in arrears: either a facility or an account beyond its overdraft limit. */
export interface Contract {
  facility: { facilityId: string; kind: string; product?: { name: string } | null } | null
  arrangement: { arrangementId: string } | null
  party: { partyId: string; displayName: string } | null
}

/** A link to the loan, credit line or account that is in arrears. */
export function ContractLink({ contract: { facility, arrangement } }: { contract: Contract }) {
  if (facility) return <FacilityLink facility={facility} />
  if (!arrangement) return <Missing />
  return (
    <AppLink to="/accounts/$arrangementId" params={arrangement}>
      Overdraft
    </AppLink>
  )
}

/** The columns that say who owes, and on what. */
export const contractColumns: readonly Column<Contract>[] = [
  { title: 'Contract', cell: (contract) => <ContractLink contract={contract} /> },
  { title: 'Customer', cell: ({ party }) => party && <CustomerLink party={party} /> },
]
