import { Button, Menu, Modal, Select, Stack, Textarea } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { useSession } from '../../session/session.ts'
import {
  ActivateAccountDocument,
  BlockAccountDocument,
  CancelAccountClosureDocument,
  CloseAccountDocument,
  RequestAccountClosureDocument,
  UnblockAccountDocument,
  type AccountQuery,
  type BlockKind,
} from './queries.generated.ts'

type Account = NonNullable<AccountQuery['accountArrangement']>

const blockKinds: readonly BlockKind[] = ['ALL', 'DEBIT', 'CREDIT']

/** What an employee can do with an account in its state: approve, block, unblock, close. */
export function AccountSteps({ account: { arrangementId, state } }: { account: Account }) {
  const { partyId, scopes } = useSession().person
  if (partyId !== null || !scopes.includes('accounts:write')) return null
  const variables = { arrangementId }
  return (
    <>
      {state === 'PENDING' && (
        <CommandButton
          id={`activate:${arrangementId}`}
          mutation={ActivateAccountDocument}
          variables={variables}
        >
          Approve the account
        </CommandButton>
      )}
      {state === 'BLOCKED' && (
        <CommandButton
          id={`unblock:${arrangementId}`}
          mutation={UnblockAccountDocument}
          variables={variables}
        >
          Unblock
        </CommandButton>
      )}
      {state === 'PENDING_CLOSURE' && (
        <>
          <CommandButton
            id={`cancel-closure:${arrangementId}`}
            mutation={CancelAccountClosureDocument}
            variables={variables}
            variant="default"
          >
            Keep the account
          </CommandButton>
          <CommandButton
            id={`close:${arrangementId}`}
            mutation={CloseAccountDocument}
            variables={variables}
            color="red.9"
          >
            Close the account
          </CommandButton>
        </>
      )}
      {state === 'ACTIVE' && <MoreSteps />}
      <StepDialog arrangementId={arrangementId} />
    </>
  )
}

function MoreSteps() {
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const open = (dialog: string) => void navigate({ search: (old) => ({ ...old, dialog }) })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Button variant="default" px="sm" aria-label="More">
          <IconDots size={18} />
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={() => open('block')}>Block the account</Menu.Item>
        <Menu.Item onClick={() => open('closure')}>Prepare the closure</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

function StepDialog({ arrangementId }: { arrangementId: string }) {
  const { dialog } = useSearch({ from: '/accounts/$arrangementId' })
  const navigate = useNavigate({ from: '/accounts/$arrangementId' })
  const close = () => void navigate({ search: (old) => ({ ...old, dialog: undefined }) })
  const form = { arrangementId, onClose: close }
  return (
    <>
      <Modal opened={dialog === 'block'} onClose={close} title="Block the account">
        <BlockForm {...form} />
      </Modal>
      <Modal opened={dialog === 'closure'} onClose={close} title="Prepare the closure">
        <ClosureForm {...form} />
      </Modal>
    </>
  )
}

interface StepFormProps {
  arrangementId: string
  onClose: () => void
}

const BlockForm = ({ arrangementId, onClose }: StepFormProps) => (
  <CommandForm
    id={`block:${arrangementId}`}
    mutation={BlockAccountDocument}
    initialValues={{ kind: 'ALL' as BlockKind, reason: '' }}
    variables={({ kind, reason }) => ({
      arrangementId,
      kind,
      ...(reason.trim() && { reason: reason.trim() }),
    })}
    submitLabel="Block"
    isDangerous
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <Stack>
        <Select
          label="What is blocked"
          allowDeselect={false}
          data={blockKinds.map((value) => ({ value, label: readable(value) }))}
          {...form.getInputProps('kind')}
        />
        <Textarea label="Reason" {...form.getInputProps('reason')} />
      </Stack>
    )}
  </CommandForm>
)

const ClosureForm = ({ arrangementId, onClose }: StepFormProps) => (
  <CommandForm
    id={`closure:${arrangementId}`}
    mutation={RequestAccountClosureDocument}
    initialValues={{ reason: '' }}
    variables={({ reason }) => ({
      arrangementId,
      ...(reason.trim() && { reason: reason.trim() }),
    })}
    submitLabel="Prepare the closure"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => <Textarea label="Reason" {...form.getInputProps('reason')} />}
  </CommandForm>
)
