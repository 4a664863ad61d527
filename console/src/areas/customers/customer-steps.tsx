import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useBusinessDate } from '../../app/environment.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { dayBefore } from '../../parts/days.ts'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Facts, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import type { Party } from './party.ts'
import { OpenAccountForm } from './open-account-form.tsx'
import {
  ActivateCustomerDocument,
  CreateCustomerDocument,
  FailKycDocument,
  PassKycDocument,
  StartKycDocument,
} from './queries.generated.ts'

type Customer = NonNullable<Party['customers']>[number]

/** The way from a known person to an active customer: identity check, activation, first account. */
export function CustomerSteps({ party }: { party: Party }) {
  const customers = party.customers ?? []
  const may = useMay()
  return (
    <Section title="Customer relationship">
      {customers.length === 0 && (
        <Group justify="space-between">
          <Text c="dimmed">This person is not a customer yet.</Text>
          {may('parties:write') && (
            <CommandButton
              id={`create-customer:${party.partyId}`}
              mutation={CreateCustomerDocument}
              variables={{ input: { partyId: party.partyId } }}
            >
              Make a customer
            </CommandButton>
          )}
        </Group>
      )}
      <Stack>
        {customers.map((customer) => (
          <Relationship key={customer.customerId} customer={customer} />
        ))}
      </Stack>
      <StepDialog customers={customers} />
    </Section>
  )
}

function Relationship({ customer }: { customer: Customer }) {
  const { customerId, status, statusReason, segment, kycState, kycReason, kycExpiresOn } = customer
  return (
    <Stack gap="md">
      <Facts
        facts={[
          ['Status', <State key="status" value={status} />],
          ['Identity check', <State key="kyc" value={kycState} />],
          ['Identity valid until', <Time key="until" value={kycExpiresOn} />],
          ['Segment', segment && readable(segment)],
          ...(statusReason || kycReason ? [['Reason', statusReason ?? kycReason] as const] : []),
          ['Customer number', customerId],
        ]}
      />
      <Steps customer={customer} />
    </Stack>
  )
}

function Steps({ customer: { customerId, status, kycState } }: { customer: Customer }) {
  const navigate = useNavigate({ from: '/customers/$partyId' })
  const may = useMay()
  if (!may('parties:write')) return null
  const open = (dialog: string) => void navigate({ search: (old) => ({ ...old, dialog }) })
  return (
    <Group>
      {(kycState === 'NOT_STARTED' || kycState === 'FAILED' || kycState === 'EXPIRED') && (
        <CommandButton
          id={`start-kyc:${customerId}`}
          mutation={StartKycDocument}
          variables={{ customerId }}
        >
          Start the identity check
        </CommandButton>
      )}
      {kycState === 'IN_PROGRESS' && (
        <>
          <Button onClick={() => open(`pass-kyc:${customerId}`)}>The identity is proven</Button>
          <Button variant="default" onClick={() => open(`fail-kyc:${customerId}`)}>
            The check failed
          </Button>
        </>
      )}
      {status === 'PROSPECT' && kycState === 'PASSED' && (
        <CommandButton
          id={`activate:${customerId}`}
          mutation={ActivateCustomerDocument}
          variables={{ customerId }}
        >
          Activate the customer
        </CommandButton>
      )}
    </Group>
  )
}

/** The dialog that the address names, such as `?dialog=pass-kyc:cus_1`. */
function StepDialog({ customers }: { customers: readonly Customer[] }) {
  const { dialog = '' } = useSearch({ from: '/customers/$partyId' })
  const navigate = useNavigate({ from: '/customers/$partyId' })
  const [kind, customerId = customers[0]?.customerId] = dialog.split(':')
  const close = () => void navigate({ search: (old) => ({ ...old, dialog: undefined }) })
  const titles: Record<string, string> = {
    account: 'Open an account',
    'pass-kyc': 'The identity is proven',
    'fail-kyc': 'The identity check failed',
  }
  if (!kind || !titles[kind] || !customerId) return null
  return (
    <Modal opened onClose={close} title={titles[kind]}>
      {kind === 'account' && <OpenAccountForm customerId={customerId} onClose={close} />}
      {kind === 'pass-kyc' && <PassKycForm customerId={customerId} onClose={close} />}
      {kind === 'fail-kyc' && <FailKycForm customerId={customerId} onClose={close} />}
    </Modal>
  )
}

interface StepFormProps {
  customerId: string
  onClose: () => void
}

/** Identity documents are usually checked again after five years. */
const validityDays = 5 * 365

function PassKycForm({ customerId, onClose }: StepFormProps) {
  const today = useBusinessDate()
  if (!today) return null
  return (
    <CommandForm
      id={`pass-kyc:${customerId}`}
      mutation={PassKycDocument}
      initialValues={{ expiresOn: dayBefore(today, -validityDays) }}
      variables={({ expiresOn }) => ({ customerId, expiresOn })}
      submitLabel="Record the result"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <TextInput
          type="date"
          label="The proof is valid until"
          required
          {...form.getInputProps('expiresOn')}
        />
      )}
    </CommandForm>
  )
}

const FailKycForm = ({ customerId, onClose }: StepFormProps) => (
  <CommandForm
    id={`fail-kyc:${customerId}`}
    mutation={FailKycDocument}
    initialValues={{ reason: '' }}
    validate={({ reason }) => (reason.trim() ? {} : { reason: 'Why did the check fail?' })}
    variables={({ reason }) => ({ customerId, reason: reason.trim() })}
    submitLabel="Record the result"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => <Textarea label="Reason" required {...form.getInputProps('reason')} />}
  </CommandForm>
)
