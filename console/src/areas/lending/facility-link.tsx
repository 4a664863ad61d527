import { AppLink } from '../../parts/links.tsx'

interface LinkedFacility {
  facilityId: string
  kind: string
  product?: { name: string } | null
}

/** Returns what a facility is called: its product, or what kind of credit it is. */
export const nameOfFacility = ({ kind, product }: Omit<LinkedFacility, 'facilityId'>): string =>
  product?.name ?? (kind === 'REVOLVING' ? 'Credit line' : 'Loan')

interface FacilityLinkProps {
  facility: LinkedFacility
  name?: string
  fw?: number
}

/** A link to the page of a loan or a credit line. */
export function FacilityLink({ facility, name, fw }: FacilityLinkProps) {
  const { facilityId, kind } = facility
  const look = { children: name ?? nameOfFacility(facility), ...(fw !== undefined && { fw }) }
  return kind === 'REVOLVING' ? (
    <AppLink to="/facilities/$facilityId" params={{ facilityId }} {...look} />
  ) : (
    <AppLink to="/loans/$loanId" params={{ loanId: facilityId }} {...look} />
  )
}
