import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { NotFound } from '../../app/faults.tsx'
import { Page } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { nameOfFacility } from './facility-link.tsx'
import { FacilityToChangeDocument, type FacilityToChangeQuery } from './queries.generated.ts'

export type FacilityToChange = NonNullable<FacilityToChangeQuery['facility']>
type Account = NonNullable<NonNullable<FacilityToChangeQuery['facility']>['customer']>['accounts']

/** A page with a form that changes a facility. `leave` returns to the page of the facility. */
export function ChangePage({
  title,
  facilityId,
  children,
}: {
  title: string
  facilityId: string
  children: (facility: FacilityToChange, leave: () => void) => ReactNode
}) {
  const navigate = useNavigate()
  return (
    <Query query={FacilityToChangeDocument} variables={{ facilityId }}>
      {({ facility }) => {
        if (!facility) return <NotFound />
        const leave = () =>
          void (facility.kind === 'REVOLVING'
            ? navigate({ to: '/facilities/$facilityId', params: { facilityId } })
            : navigate({ to: '/loans/$loanId', params: { loanId: facilityId } }))
        return (
          <Page title={title} lead={nameOfFacility(facility)}>
            {children(facility, leave)}
          </Page>
        )
      }}
    </Query>
  )
}

/** Returns a borrower's open accounts in a currency, as the options of a select. */
export const accountOptions = (accounts: Account, currency: string) =>
  (accounts ?? [])
    .filter((account) => account.state === 'ACTIVE' && account.currency === currency)
    .map(({ arrangementId, accountNumber, nickname, product }) => ({
      value: arrangementId,
      label: `${nickname ?? product?.name ?? 'Account'} · ${accountNumber}`,
    }))
