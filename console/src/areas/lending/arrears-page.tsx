import { useQuery } from '@apollo/client/react'
import { Group, Tabs } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { WriteOffsTab } from '../accounts/write-offs-tab.tsx'
import { FacilityLink } from './facility-link.tsx'
import {
  ApproveFacilityLossDocument,
  FacilitiesInArrearsDocument,
  LossProposalsDocument,
  RejectFacilityLossDocument,
  type FacilitiesInArrearsQuery,
  type LossProposalsQuery,
} from './queries.generated.ts'

type LateFacility = NonNullable<FacilitiesInArrearsQuery['facilities']>['nodes'][number]
type LossProposal = NonNullable<LossProposalsQuery['lossProposals']>['nodes'][number]

/** The facilities that are paid late, and the losses proposed for approval by a second person. */
export function ArrearsPage() {
  const { tab = 'arrears' } = useSearch({ from: '/arrears' })
  const navigate = useNavigate({ from: '/arrears' })
  const may = useMay()
  return (
    <Page title="Arrears" lead="Loans that are paid late, and losses that wait for approval.">
      <Tabs
        value={tab}
        onChange={(value) => void navigate({ search: { tab: value ?? undefined } })}
        keepMounted={false}
      >
        <Tabs.List mb="md">
          <Tabs.Tab value="arrears">In arrears</Tabs.Tab>
          <Tabs.Tab value="losses">Loss proposals</Tabs.Tab>
          {may('accounts:read') && <Tabs.Tab value="write-offs">Overdraft write-offs</Tabs.Tab>}
        </Tabs.List>
        <Tabs.Panel value="arrears">
          <InArrears />
        </Tabs.Panel>
        <Tabs.Panel value="losses">
          <LossProposals />
        </Tabs.Panel>
        <Tabs.Panel value="write-offs">
          <WriteOffsTab />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const arrearsColumns: readonly Column<LateFacility>[] = [
  { title: 'Loan', cell: (facility) => <FacilityLink facility={facility} /> },
  { title: 'Borrower', cell: ({ customer }) => customer?.party?.displayName },
  { title: 'Stage', cell: ({ delinquency }) => <State value={delinquency.stage} /> },
  {
    title: 'Days past due',
    isNumeric: true,
    cell: ({ delinquency }) => delinquency.daysPastDue,
  },
  {
    title: 'Oldest due date',
    cell: ({ delinquency }) => <Time value={delinquency.oldestDueDate} />,
  },
  {
    title: 'Promised',
    cell: ({ openPromiseToPay: promise }) =>
      promise && (
        <>
          <Money value={promise.amount} /> by <Time value={promise.payBy} />
        </>
      ),
  },
  {
    title: 'In arrears',
    isNumeric: true,
    cell: ({ delinquency }) => <Money value={delinquency.arrears} />,
  },
  {
    title: 'Outstanding',
    isNumeric: true,
    cell: ({ outstandingPrincipal }) => <Money value={outstandingPrincipal} />,
  },
]

function InArrears() {
  const { after } = useSearch({ from: '/arrears' })
  const navigate = useNavigate({ from: '/arrears' })
  const { data, previousData, error, refetch } = useQuery(FacilitiesInArrearsDocument, {
    variables: { after: after ?? null },
  })
  return (
    <Section title="In arrears">
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Facilities in arrears"
        connection={(data ?? previousData)?.facilities}
        columns={arrearsColumns}
        keyOf={({ facilityId }) => facilityId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="No loan is paid late."
      />
    </Section>
  )
}

function LossProposals() {
  const { after } = useSearch({ from: '/arrears' })
  const navigate = useNavigate({ from: '/arrears' })
  const may = useMay()
  const { username } = useSession().person
  const { data, previousData, error, refetch } = useQuery(LossProposalsDocument, {
    variables: { state: null, after: after ?? null },
  })
  return (
    <Section
      title="Loss proposals"
      description="A second person approves what is above the limit for one person."
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Loss proposals"
        connection={(data ?? previousData)?.lossProposals}
        columns={lossColumns(may('lending:write'), username)}
        keyOf={({ lossProposalId }) => lossProposalId}
        after={after}
        onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
        empty="No loss is proposed. A loss is proposed on the page of a loan."
      />
    </Section>
  )
}

const lossColumns = (canWrite: boolean, username: string): readonly Column<LossProposal>[] => [
  {
    title: 'Loan',
    cell: ({ facility }) => facility && <FacilityLink facility={facility} />,
  },
  { title: 'Action', cell: ({ action }) => readable(action) },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
  { title: 'State', cell: ({ state }) => <State value={state} /> },
  { title: 'Amount', isNumeric: true, cell: ({ amount }) => <Money value={amount} /> },
  {
    title: 'Decision',
    cell: ({ lossProposalId, state, proposedBy, decidedBy }) => {
      if (state !== 'PROPOSED') return decidedBy
      if (!canWrite) return null
      if (proposedBy === username) return 'Another person decides'
      return (
        <Group gap="xs" wrap="nowrap">
          <NotifyingButton
            size="compact-sm"
            id={`approve:${lossProposalId}`}
            mutation={ApproveFacilityLossDocument}
            variables={{ lossProposalId }}
            done="Loss approved"
          >
            Approve
          </NotifyingButton>
          <NotifyingButton
            size="compact-sm"
            variant="default"
            id={`reject:${lossProposalId}`}
            mutation={RejectFacilityLossDocument}
            variables={{ lossProposalId }}
            done="Loss rejected"
          >
            Reject
          </NotifyingButton>
        </Group>
      )
    },
  },
]
