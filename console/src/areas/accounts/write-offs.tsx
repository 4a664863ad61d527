import { useQuery } from '@apollo/client/react'
import { Button, Modal } from '@mantine/core'
import { useChangesOfType } from '../../graph/events.ts'
import { useDialog } from '../../parts/dialog.ts'
import { Section } from '../../parts/page.tsx'
import { ConnectionTable } from '../../parts/table.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { OverdraftWriteOffsDocument, type AccountQuery } from './queries.generated.ts'
import { writeOffColumns } from './write-off-columns.tsx'
import { RecoveryForm, WriteOffForm } from './write-off-forms.tsx'

type Account = NonNullable<AccountQuery['accountArrangement']>

/** The write-offs of an account for employees; nothing unless it is overdrawn or had one. */
export function WriteOffs({ account }: { account: Account }) {
  const { arrangementId, currency } = account
  const isEmployee = useSession().person.partyId === null
  const canWrite = useMay()('accounts:write')
  const { dialog, open } = useDialog()
  useChangesOfType(['accounts.overdraft-write-off.*'])
  const { data, previousData, error, refetch } = useQuery(OverdraftWriteOffsDocument, {
    variables: { arrangementId, state: null, after: null },
    skip: !isEmployee,
  })
  const connection = (data ?? previousData)?.overdraftWriteOffs
  const balance = account.balances?.find((each) => each.currency === currency)?.committed ?? '0'
  const isOverdrawn = Number(balance) < 0
  const writeOffs = connection?.nodes ?? []
  if (!isEmployee || (!isOverdrawn && !error && writeOffs.length === 0)) return null
  const canPropose = canWrite && isOverdrawn && !writeOffs.some(({ state }) => state === 'PROPOSED')
  const openClaim = writeOffs.find(({ unrecovered }) => Number(unrecovered.amount) > 0)
  const close = () => open()
  return (
    <Section
      title="Write-offs"
      description="An overdraft that will not be repaid is written off by two people."
      actions={
        <>
          {canPropose && (
            <Button size="xs" variant="default" onClick={() => open('write-off')}>
              Propose a write-off
            </Button>
          )}
          {canWrite && openClaim && Number(balance) > 0 && (
            <Button size="xs" variant="default" onClick={() => open('recovery')}>
              Book a recovery
            </Button>
          )}
        </>
      }
    >
      <ConnectionTable
        error={error}
        onRetry={() => void refetch()}
        label="Write-offs"
        connection={connection}
        columns={writeOffColumns}
        keyOf={({ overdraftWriteOffId }) => overdraftWriteOffId}
        empty="The account is overdrawn. Nothing was written off."
      />
      <Modal
        opened={canPropose && dialog === 'write-off'}
        onClose={close}
        title="Propose a write-off"
      >
        <WriteOffForm arrangementId={arrangementId} onClose={close} />
      </Modal>
      {canWrite && openClaim && (
        <Modal opened={dialog === 'recovery'} onClose={close} title="Book a recovery">
          <RecoveryForm
            writeOff={openClaim}
            balance={{ amount: balance, currency }}
            onClose={close}
          />
        </Modal>
      )}
    </Section>
  )
}
