import { AppLink } from '../../parts/links.tsx'

interface LinkedFacility {
  facilityId: string
  kind: string
  product?: { name: string } | null
}

/** Returns what a facility is called: its product, or what kind of credit it is. */
export const nameOfFacility = ({ kind, product }: Omit<LinkedFacility, 'facilityId'>): string =>
  product?.name ?? (kind === 'REVOLVING' ? 'Credit line' : 'Loan')

/** A link to the page of a loan or a credit line. */
export function FacilityLink({ facility, name }: { facility: LinkedFacility; name?: string }) {
  const { facilityId, kind } = facility
  const text = name ?? nameOfFacility(facility)
  return kind === 'REVOLVING' ? (
    <AppLink to="/facilities/$facilityId" params={{ facilityId }}>
      {text}
    </AppLink>
  ) : (
    <AppLink to="/loans/$loanId" params={{ loanId: facilityId }}>
      {text}
    </AppLink>
  )
}
