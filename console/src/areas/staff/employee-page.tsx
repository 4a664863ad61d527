import { Group, Text } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { EmployeeActions } from './employee-actions.tsx'
import { LogInCode } from './log-in-code.tsx'
import {
  ApproveEmployeeDocument,
  EmployeeDocument,
  RejectEmployeeDocument,
  type EmployeeRowFragment,
} from './queries.generated.ts'
import { namesOf } from './roles.ts'

/** A person who works at the bank: the roles, what is proposed, and how the person gets a password. */
export function EmployeePage() {
  const { employeeId } = useParams({ from: '/employees/$employeeId' })
  return (
    <Query query={EmployeeDocument} variables={{ employeeId }}>
      {({ employee }) => (employee ? <Details employee={employee} /> : <NotFound />)}
    </Query>
  )
}

function Details({ employee }: { employee: EmployeeRowFragment }) {
  const { employeeId, name, username, status, statusReason, roles, createdAt } = employee
  useChanges([`employee/${employeeId}`])
  return (
    <Page
      subject={`employee/${employeeId}`}
      title={name}
      lead={<State value={status} />}
      actions={<EmployeeActions employee={employee} />}
    >
      {employee.proposedBy !== null && <Proposal employee={employee} />}
      <Section title="Employment">
        <Facts
          facts={[
            ['User name', username],
            ['Roles', namesOf(roles)],
            ['Since', <Time key="since" value={createdAt} />],
            ['Reason of the status', statusReason],
            ['ID', <Id key="id" value={employeeId} />],
          ]}
        />
      </Section>
      {status === 'ACTIVE' && <LogInCode employee={employee} />}
    </Page>
  )
}

/** Roles that wait for a second person, with the decision for those who may take it. */
function Proposal({ employee }: { employee: EmployeeRowFragment }) {
  const { employeeId, username, proposedRoles, proposedBy, proposedAt } = employee
  const { person } = useSession()
  const may = useMay()
  const isAnother = person.username !== proposedBy && person.username !== username
  return (
    <Section
      title="Waits for a second person"
      description="Neither the person who proposed the roles nor the employee can approve them."
      actions={
        may('staff:approve') &&
        isAnother && (
          <Group gap="sm">
            <NotifyingButton
              id={`reject:${employeeId}`}
              mutation={RejectEmployeeDocument}
              variables={{ employeeId }}
              done="Roles rejected"
              variant="default"
            >
              Reject
            </NotifyingButton>
            <NotifyingButton
              id={`approve:${employeeId}`}
              mutation={ApproveEmployeeDocument}
              variables={{ employeeId, proposedAt }}
              done="Roles approved"
            >
              Approve
            </NotifyingButton>
          </Group>
        )
      }
    >
      <Text>
        {proposedBy} proposed: <strong>{namesOf(proposedRoles)}</strong>,{' '}
        <Time value={proposedAt} />
      </Text>
    </Section>
  )
}
