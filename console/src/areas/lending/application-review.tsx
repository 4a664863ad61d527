import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { RowTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import type { Application } from './application.ts'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { DecisionForm } from './decision-form.tsx'
import {
  FulfillConditionDocument,
  ReturnApplicationDocument,
  StartCreditReviewDocument,
  WaiveConditionDocument,
} from './queries.generated.ts'

/** What an employee needs to decide on an application: the recommendation, conditions and actions. */
export function ApplicationReview({ application }: { application: Application }) {
  const { applicationId, status, conditions, recommendation } = application
  const may = useMay()
  const { dialog } = useSearch({ from: '/applications/$applicationId' })
  const navigate = useNavigate({ from: '/applications/$applicationId' })
  const open = (name: string | undefined) =>
    void navigate({ search: { dialog: name }, resetScroll: false })
  const canDecide = may('credit:decide') && ['SUBMITTED', 'IN_REVIEW'].includes(status)
  const canRevoke = may('credit:decide') && status === 'APPROVED'
  return (
    <>
      {(canDecide || canRevoke || recommendation) && (
        <Section
          title="Review"
          description={
            canDecide &&
            'Whoever submitted the application cannot decide on it, and nobody can approve more than their credit authority.'
          }
          actions={
            <>
              {canDecide && status === 'SUBMITTED' && (
                <NotifyingButton
                  variant="default"
                  id={`review:${applicationId}`}
                  mutation={StartCreditReviewDocument}
                  variables={{ applicationId }}
                  done="Review started"
                >
                  Start the review
                </NotifyingButton>
              )}
              {canDecide && status === 'IN_REVIEW' && (
                <Button variant="default" onClick={() => open('return')}>
                  Ask for information
                </Button>
              )}
              {canDecide && <Button onClick={() => open('decide')}>Decide</Button>}
              {canRevoke && (
                <Button variant="default" color="red" onClick={() => open('revoke')}>
                  Revoke the approval
                </Button>
              )}
            </>
          }
        >
          <Recommendation application={application} />
        </Section>
      )}
      {conditions.length > 0 && <Conditions application={application} />}
      {(dialog === 'decide' || dialog === 'revoke') && (
        <Modal
          opened
          size="lg"
          onClose={() => open(undefined)}
          title={dialog === 'revoke' ? 'Revoke the approval' : 'Credit decision'}
        >
          <DecisionForm
            application={application}
            isRevocation={dialog === 'revoke'}
            onClose={() => open(undefined)}
          />
        </Modal>
      )}
      {dialog === 'return' && (
        <Modal opened onClose={() => open(undefined)} title="Ask for information">
          <ReturnForm applicationId={applicationId} onClose={() => open(undefined)} />
        </Modal>
      )}
    </>
  )
}

function Recommendation({ application: { recommendation } }: { application: Application }) {
  if (!recommendation) return <Text c="dimmed">The credit policy made no recommendation yet.</Text>
  const { outcome, policyVersion, score, rules, reasons } = recommendation
  return (
    <Stack gap="sm">
      <Group gap="sm">
        <Text>The credit policy recommends</Text>
        <State value={outcome} />
        <Text size="sm" c="dimmed">
          Policy {policyVersion} · score {score.value}
          {score.cutoff !== null && ` of at least ${score.cutoff}`}
        </Text>
      </Group>
      {reasons.map(({ code, text }) => (
        <Text key={code} size="sm">
          {text}
        </Text>
      ))}
      <RowTable
        label="Rules of the credit policy"
        rows={rules}
        columns={ruleColumns}
        keyOf={({ rule }) => rule}
      />
    </Stack>
  )
}

type Rule = NonNullable<Application['recommendation']>['rules'][number]

const ruleColumns: readonly Column<Rule>[] = [
  { title: 'Rule', cell: ({ rule }) => readable(rule) },
  { title: 'Result', cell: ({ result }) => <State value={result} /> },
  { title: 'Points', isNumeric: true, cell: ({ points }) => points },
]

function Conditions({ application }: { application: Application }) {
  const { applicationId, conditions, status } = application
  const may = useMay()
  const canChange = may('credit:decide') && status === 'APPROVED'
  return (
    <Section title="Conditions" description="All must be met before the terms can be accepted.">
      <Stack gap="sm">
        {conditions.map(({ code, description, dueBy, status: state }) => (
          <Group key={code} justify="space-between">
            <Group gap="sm">
              <Text>{description ?? readable(code)}</Text>
              <State value={state === 'OPEN' ? 'Pending' : state} />
              {dueBy && (
                <Text size="sm" c="dimmed">
                  by <Time value={dueBy} />
                </Text>
              )}
            </Group>
            {canChange && state === 'OPEN' && (
              <Group gap="xs">
                <NotifyingButton
                  size="xs"
                  variant="default"
                  id={`fulfilled:${applicationId}:${code}`}
                  mutation={FulfillConditionDocument}
                  variables={{ applicationId, code }}
                  done="Condition fulfilled"
                >
                  Fulfilled
                </NotifyingButton>
                <NotifyingButton
                  size="xs"
                  variant="default"
                  id={`waive:${applicationId}:${code}`}
                  mutation={WaiveConditionDocument}
                  variables={{ applicationId, code }}
                  done="Condition waived"
                >
                  Waive
                </NotifyingButton>
              </Group>
            )}
          </Group>
        ))}
      </Stack>
    </Section>
  )
}

const ReturnForm = ({ applicationId, onClose }: { applicationId: string; onClose: () => void }) => (
  <CommandForm
    id={`return:${applicationId}`}
    mutation={ReturnApplicationDocument}
    initialValues={{ wanted: '' }}
    validate={({ wanted }) => (wanted.trim() ? {} : { wanted: 'What is needed?' })}
    variables={({ wanted }) => ({ applicationId, wanted: wanted.trim() })}
    submitLabel="Return to the applicant"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <Textarea
        label="What the applicant must provide"
        required
        autosize
        minRows={3}
        {...form.getInputProps('wanted')}
      />
    )}
  </CommandForm>
)
