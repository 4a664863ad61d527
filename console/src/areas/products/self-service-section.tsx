import { useQuery } from '@apollo/client/react'
import { Button, Group, Modal, Text } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { useDialog } from '../../parts/dialog.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  ApproveSelfServiceSettingDocument,
  RejectSelfServiceSettingDocument,
  SelfServiceSettingsDocument,
  type SelfServicePartsFragment,
} from './queries.generated.ts'
import { SelfServiceForm } from './self-service-form.tsx'

type Setting = SelfServicePartsFragment

const columns: readonly Column<Setting>[] = [
  { title: 'Proposed', cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: 'Customers', cell: ({ isAllowed }) => (isAllowed ? 'may open it' : 'may not open it') },
  { title: 'Reason', cell: ({ reason }) => reason },
  { title: 'Proposed by', cell: ({ proposedBy }) => proposedBy },
  { title: 'Status', cell: ({ state }) => <State value={state} /> },
  { title: 'Decided by', cell: ({ decidedBy }) => decidedBy ?? <Missing /> },
]

/** Whether customers may open accounts of a product themselves, and who decided it. */
export function SelfServiceSection({ productId }: { productId: string }) {
  const { after } = useSearch({ from: '/products/$productId' })
  const navigate = useNavigate({ from: '/products/$productId' })
  const { dialog, open } = useDialog()
  const may = useMay()
  const canDecide = may('products:approve')
  useChangesOfType(['products.self-service-setting.*'])
  const { data, previousData, error, refetch } = useQuery(SelfServiceSettingsDocument, {
    variables: { productId, after: after ?? null },
  })
  const shown = data ?? previousData
  const isAllowed = isAllowedBy(shown?.approved?.nodes ?? [])
  const decisions: readonly Column<Setting>[] = canDecide
    ? [{ title: 'Decision', cell: (setting) => <Decision setting={setting} /> }]
    : []
  return (
    <Section
      title="Self-service"
      description="Whether customers may open accounts of this product themselves. One employee proposes it, and another one approves it."
      actions={
        may('products:write') &&
        shown && (
          <Button size="xs" onClick={() => open('self-service')}>
            {isAllowed ? 'Propose to stop it' : 'Propose to allow it'}
          </Button>
        )
      }
    >
      {shown && (
        <Text mb="md">
          {isAllowed
            ? 'Customers can open accounts of this product.'
            : 'Only employees can open accounts of this product.'}
        </Text>
      )}
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Self-service settings"
        connection={shown?.selfServiceSettings}
        columns={[...columns, ...decisions]}
        keyOf={({ selfServiceSettingId }) => selfServiceSettingId}
        after={after}
        onPage={(cursor) =>
          void navigate({ search: (old) => ({ ...old, after: cursor }), resetScroll: false })
        }
        empty="Nobody has proposed a setting for this product."
      />
      <Modal
        opened={may('products:write') && dialog === 'self-service'}
        onClose={() => open()}
        title={isAllowed ? 'Propose to stop self-service' : 'Propose to allow self-service'}
      >
        <SelfServiceForm productId={productId} isAllowed={!isAllowed} onClose={() => open()} />
      </Modal>
    </Section>
  )
}

/** What the setting says that was approved last. */
function isAllowedBy(approved: readonly Setting[]): boolean {
  const decidedAt = (setting: Setting) => setting.decidedAt ?? ''
  return (
    approved.toSorted((a, b) => decidedAt(a).localeCompare(decidedAt(b))).at(-1)?.isAllowed ?? false
  )
}

function Decision({ setting: { selfServiceSettingId, state } }: { setting: Setting }) {
  if (state !== 'PROPOSED') return null
  const step = { size: 'compact-sm', variables: { selfServiceSettingId } } as const
  return (
    <Group gap="xs" wrap="nowrap">
      <NotifyingButton
        {...step}
        id={`approve-self-service:${selfServiceSettingId}`}
        mutation={ApproveSelfServiceSettingDocument}
        done="Self-service setting approved"
      >
        Approve
      </NotifyingButton>
      <NotifyingButton
        {...step}
        variant="default"
        id={`reject-self-service:${selfServiceSettingId}`}
        mutation={RejectSelfServiceSettingDocument}
        done="Self-service setting rejected"
      >
        Reject
      </NotifyingButton>
    </Group>
  )
}
