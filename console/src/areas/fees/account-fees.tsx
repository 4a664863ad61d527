import { useQuery } from '@apollo/client/react'
import { Button, Modal } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { useDialog } from '../../parts/dialog.ts'
import { Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { ChargeForm } from './charge-form.tsx'
import { feeColumns, useRefundColumns } from './fee-columns.tsx'
import { ChargeableFeesDocument, FeeChargesDocument } from './queries.generated.ts'

/** The fees that were charged to an account one by one, for its customer and for employees. */
export function AccountFees({ arrangementId }: { arrangementId: string }) {
  const { after } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const { dialog, open } = useDialog()
  const refundColumns = useRefundColumns()
  const may = useMay()
  const canCharge = useSession().person.partyId === null && may('fees:run')
  useChangesOfType(['pricing.fee-charge.*'])
  const { data, previousData, error, refetch } = useQuery(FeeChargesDocument, {
    variables: { arrangementId, status: null, after: after ?? null },
  })
  return (
    <Section
      title="Single fees"
      description="Charged when something happened on the account, or for a service. Fees for a period are among the entries."
      actions={
        canCharge && (
          <Button size="xs" onClick={() => open('charge-fee')}>
            Charge a fee
          </Button>
        )
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Single fees"
        connection={(data ?? previousData)?.feeCharges}
        columns={[...feeColumns, ...refundColumns]}
        keyOf={({ feeChargeId }) => feeChargeId}
        after={after}
        onPage={(cursor) =>
          void navigate({ search: (old) => ({ ...old, after: cursor }), resetScroll: false })
        }
        empty="No single fee was charged to the account."
      />
      <Modal
        opened={canCharge && dialog === 'charge-fee'}
        onClose={() => open()}
        title="Charge a fee"
      >
        <Query query={ChargeableFeesDocument} variables={{ arrangementId }}>
          {({ accountArrangement: account }) =>
            account && <ChargeForm account={account} onClose={() => open()} />
          }
        </Query>
      </Modal>
    </Section>
  )
}
