import { useQuery } from '@apollo/client/react'
import { Button, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { CommandForm } from '../../parts/command-form.tsx'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  EmployeesDocument,
  HireEmployeeDocument,
  type EmployeeRowFragment,
  type StaffRole,
} from './queries.generated.ts'
import { namesOf } from './roles.ts'
import { RolesField } from './roles-field.tsx'

const columns: readonly Column<EmployeeRowFragment>[] = [
  {
    title: 'Name',
    cell: ({ employeeId, name }) => (
      <AppLink to="/employees/$employeeId" params={{ employeeId }} fw={600}>
        {name}
      </AppLink>
    ),
  },
  { title: 'User name', cell: ({ username }) => username },
  {
    title: 'Roles',
    cell: ({ roles, proposedRoles }) => (
      <>
        {namesOf(roles)}
        {proposedRoles.length > 0 && (
          <Text size="sm" c="dimmed">
            Proposed: {namesOf(proposedRoles)}
          </Text>
        )}
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  { title: 'Since', cell: ({ createdAt }) => <Time value={createdAt} /> },
]

/** The people who work at the bank, and hiring. */
export function EmployeesPage() {
  const { after, dialog } = useSearch({ from: '/employees' })
  const navigate = useNavigate({ from: '/employees' })
  useChangesOfType(['staff.*'])
  const canHire = useMay()('staff:manage')
  const { data, previousData, error, refetch } = useQuery(EmployeesDocument, {
    variables: { status: null, after: after ?? null },
  })
  const show = (name: string | undefined) =>
    void navigate({ search: (old) => ({ ...old, dialog: name }) })
  return (
    <Page
      title="Employees"
      lead="Who works here, and in which roles. A second person approves every role that is added."
      actions={canHire && <Button onClick={() => show('hire')}>Hire somebody</Button>}
    >
      <Section title="All employees">
        <ConnectionTable
          error={error}
          onRetry={() => void refetch()}
          label="Employees"
          connection={(data ?? previousData)?.employees}
          columns={columns}
          keyOf={({ employeeId }) => employeeId}
          after={after}
          onPage={(cursor) => void navigate({ search: { after: cursor } })}
          empty="Nobody works here yet. An administrator hires the first employees."
        />
      </Section>
      <Modal opened={dialog === 'hire'} onClose={() => show(undefined)} title="Hire somebody">
        <HireForm
          onClose={() => show(undefined)}
          onHired={(employeeId) =>
            void navigate({ to: '/employees/$employeeId', params: { employeeId } })
          }
        />
      </Modal>
    </Page>
  )
}

function HireForm(props: { onClose: () => void; onHired: (employeeId: string) => void }) {
  return (
    <CommandForm
      id="hire"
      mutation={HireEmployeeDocument}
      initialValues={{ name: '', username: '', roles: [] as string[] }}
      validate={({ name, username, roles }) => ({
        ...(!name.trim() && { name: 'What is the name of the person?' }),
        ...(!username.trim() && { username: 'With which name will the person log in?' }),
        ...(roles.length === 0 && { roles: 'Choose at least one role.' }),
      })}
      variables={({ name, username, roles }) => ({
        input: { name: name.trim(), username: username.trim(), roles: roles as StaffRole[] },
      })}
      fieldOfCode={{ NAME_TAKEN: 'username' }}
      submitLabel="Propose"
      onCancel={props.onClose}
      onDone={({ hireEmployee }) => props.onHired(hireEmployee.employeeId)}
    >
      {(form) => (
        <Stack>
          <TextInput label="Full name" required {...form.getInputProps('name')} />
          <TextInput
            label="User name"
            description="2 to 64 lowercase letters, digits, dots, hyphens and underscores"
            required
            {...form.getInputProps('username')}
          />
          <RolesField required {...form.getInputProps('roles')} />
        </Stack>
      )}
    </CommandForm>
  )
}
