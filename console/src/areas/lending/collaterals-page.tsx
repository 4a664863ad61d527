import { useQuery } from '@apollo/client/react'
import { Button, Modal } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Money, State } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { NewCollateralForm } from './collateral-records.tsx'
import {
  CollateralsDocument,
  type CollateralRowFragment,
  type CollateralsQueryVariables,
} from './queries.generated.ts'

const columns: readonly Column<CollateralRowFragment>[] = [
  {
    title: 'Collateral',
    cell: ({ collateralId, description, collateralType }) => (
      <AppLink to="/collateral/$collateralId" params={{ collateralId }}>
        {description ?? readable(collateralType)}
      </AppLink>
    ),
  },
  { title: 'Type', cell: ({ collateralType }) => readable(collateralType) },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'Lendable value',
    isNumeric: true,
    cell: ({ lendableValue }) => <Money value={lendableValue} />,
  },
  {
    title: 'Allocated',
    isNumeric: true,
    cell: ({ allocatedValue }) => <Money value={allocatedValue} />,
  },
  { title: 'Free', isNumeric: true, cell: ({ freeValue }) => <Money value={freeValue} /> },
]

const statuses = [
  'PROPOSED',
  'VALUED',
  'ACTIVE',
  'IMPAIRED',
  'RELEASE_PENDING',
  'RELEASED',
  'LIQUIDATION',
  'LIQUIDATED',
  'REJECTED',
]

/** The collateral that secures facilities. */
export function CollateralsPage() {
  const { after, status, dialog } = useSearch({ from: '/collateral' })
  const canWrite = useMay()('collateral:write')
  const navigate = useNavigate({ from: '/collateral' })
  useChangesOfType(['collateral.*'])
  const { data, previousData, error, refetch } = useQuery(CollateralsDocument, {
    variables: { status: status ?? null, after: after ?? null } as CollateralsQueryVariables,
  })
  const show = (name: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, dialog: name }) })
  return (
    <Page
      title="Collateral"
      lead="What secures the loans of the bank."
      actions={canWrite && <Button onClick={() => show('new')}>New collateral</Button>}
    >
      <Section
        title="All collateral"
        actions={
          <SelectFilter
            label="Status"
            isLabelHidden
            all="All statuses"
            data={statuses.map((value) => ({ value, label: readable(value) }))}
            value={status}
            onChange={(value) => void navigate({ search: value ? { status: value } : {} })}
          />
        }
      >
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Collateral"
          connection={(data ?? previousData)?.collaterals}
          columns={columns}
          keyOf={({ collateralId }) => collateralId}
          after={after}
          onPage={(cursor) => void navigate({ search: (old) => ({ ...old, after: cursor }) })}
          empty="There is no such collateral. Record what a borrower offers with “New collateral”."
        />
      </Section>
      <Modal opened={dialog === 'new'} onClose={() => show(undefined)} title="New collateral">
        <NewCollateralForm
          onClose={() => show(undefined)}
          onCreated={(collateralId) =>
            void navigate({ to: '/collateral/$collateralId', params: { collateralId } })
          }
        />
      </Modal>
    </Page>
  )
}
