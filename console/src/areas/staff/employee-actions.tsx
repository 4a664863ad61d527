import type { TypedDocumentNode } from '@apollo/client'
import { Button, Modal, Textarea } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { useMay } from '../../session/session.ts'
import {
  ChangeEmployeeRolesDocument,
  DismissEmployeeDocument,
  ReinstateEmployeeDocument,
  SuspendEmployeeDocument,
  type ChangeEmployeeRolesMutationVariables,
  type EmployeeRowFragment,
  type StaffRole,
} from './queries.generated.ts'
import { RolesField } from './roles-field.tsx'

interface FormProps {
  employee: EmployeeRowFragment
  onClose: () => void
}

const dialogs = {
  roles: { title: 'Change the roles', Form: RolesForm },
  suspend: { title: 'Suspend the employee', Form: SuspendForm },
  reinstate: { title: 'End the suspension', Form: RolesForm },
  dismiss: { title: 'End the employment', Form: DismissForm },
} as const
type Dialog = keyof typeof dialogs

const dialogsOf: Readonly<Record<EmployeeRowFragment['status'], readonly Dialog[]>> = {
  PENDING: [],
  ACTIVE: ['dismiss', 'suspend', 'roles'],
  SUSPENDED: ['dismiss', 'reinstate'],
  LEFT: [],
}

/** What an administrator can do with an employee in the current status. */
export function EmployeeActions({ employee }: { employee: EmployeeRowFragment }) {
  const { dialog } = useSearch({ from: '/employees/$employeeId' })
  const navigate = useNavigate({ from: '/employees/$employeeId' })
  const may = useMay()
  if (!may('staff:manage')) return null
  const show = (name: Dialog | undefined) => void navigate({ search: { dialog: name } })
  const allowed = dialogsOf[employee.status]
  const opened = allowed.find((name) => name === dialog)
  const { title, Form } = dialogs[opened ?? 'roles']
  return (
    <>
      {allowed.map((name) => (
        <Button
          key={name}
          variant="default"
          color={name === 'dismiss' ? 'red' : undefined}
          onClick={() => show(name)}
        >
          {dialogs[name].title}
        </Button>
      ))}
      <Modal opened={opened !== undefined} onClose={() => show(undefined)} title={title}>
        <Form employee={employee} onClose={() => show(undefined)} />
      </Modal>
    </>
  )
}

/** Proposes the roles of an employee who is at work or comes back. */
function RolesForm({ employee: { employeeId, roles, status }, onClose }: FormProps) {
  const mutation: TypedDocumentNode<unknown, ChangeEmployeeRolesMutationVariables> =
    status === 'SUSPENDED' ? ReinstateEmployeeDocument : ChangeEmployeeRolesDocument
  return (
    <CommandForm
      id={`roles:${employeeId}`}
      mutation={mutation}
      initialValues={{ roles: [...roles] as string[] }}
      validate={({ roles: chosen }) =>
        chosen.length > 0 ? {} : { roles: 'Choose at least one role.' }
      }
      variables={({ roles: chosen }) => ({ employeeId, roles: chosen as StaffRole[] })}
      submitLabel="Propose"
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <RolesField
          description="Removed roles are gone at once; an added role waits for a second person."
          {...form.getInputProps('roles')}
        />
      )}
    </CommandForm>
  )
}

function SuspendForm({ employee: { employeeId }, onClose }: FormProps) {
  return (
    <CommandForm
      id={`suspend:${employeeId}`}
      mutation={SuspendEmployeeDocument}
      initialValues={{ reason: '' }}
      validate={({ reason }) => (reason.trim() ? {} : { reason: 'Why is the person suspended?' })}
      variables={({ reason }) => ({ employeeId, reason: reason.trim() })}
      submitLabel="Suspend"
      isDangerous
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => <Textarea label="Reason" required autosize {...form.getInputProps('reason')} />}
    </CommandForm>
  )
}

function DismissForm({ employee: { employeeId }, onClose }: FormProps) {
  return (
    <CommandForm
      id={`dismiss:${employeeId}`}
      mutation={DismissEmployeeDocument}
      initialValues={{ reason: '' }}
      variables={({ reason }) => ({ employeeId, reason: reason.trim() || null })}
      submitLabel="End the employment"
      isDangerous
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <Textarea
          label="Reason"
          description="The person is logged out at once and cannot log in again."
          autosize
          {...form.getInputProps('reason')}
        />
      )}
    </CommandForm>
  )
}
