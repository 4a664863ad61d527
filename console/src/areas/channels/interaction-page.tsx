import { Button, Group, Modal, Stack, Textarea, TextInput } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { AppLink, CustomerLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { RoutingExplanation } from './routing-explanation.tsx'
import {
  AbandonInteractionDocument,
  CompleteInteractionDocument,
  InteractionDocument,
  LinkInteractionToCaseDocument,
  RequeueInteractionDocument,
  type InteractionQuery,
} from './queries.generated.ts'

type Interaction = NonNullable<InteractionQuery['interaction']>

/** A contact or task: who handles it, why, and what comes next. */
export function InteractionPage() {
  const { interactionId } = useParams({ from: '/interactions/$interactionId' })
  return (
    <Query query={InteractionDocument} variables={{ interactionId }}>
      {({ interaction }) =>
        interaction ? <Details key={interactionId} interaction={interaction} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ interaction }: { interaction: Interaction }) {
  const { interactionId, subject, status, channel, decision } = interaction
  const may = useMay()
  useChanges([`interaction/${interactionId}`])
  return (
    <Page
      subject={`interaction/${interactionId}`}
      title={subject}
      lead={
        <Group gap="sm">
          <span>{readable(channel)}</span>
          <State value={status} />
          <Id value={interactionId} />
        </Group>
      }
      actions={may('cases:write') && <Steps interaction={interaction} />}
    >
      <Stack gap="lg">
        <About interaction={interaction} />
        {decision && (
          <Section
            title="How it was routed"
            description="The decision as it was taken; the agents may do something else by now."
          >
            <RoutingExplanation decision={decision} />
          </Section>
        )}
      </Stack>
      <Dialogs interactionId={interactionId} />
    </Page>
  )
}

function About({ interaction }: { interaction: Interaction }) {
  const { party, agent, case: about, direction, queueId, notes, skills } = interaction
  return (
    <Section title="About">
      <Facts
        facts={[
          ['Direction', readable(direction)],
          ['Customer', party && <CustomerLink key="party" party={party} />],
          [
            'Case',
            about && (
              <AppLink key="case" to="/cases/$caseId" params={{ caseId: about.caseId }}>
                {about.title}
              </AppLink>
            ),
          ],
          [
            'Queue',
            queueId && (
              <AppLink key="queue" to="/queues/$queueId" params={{ queueId }}>
                {queueId}
              </AppLink>
            ),
          ],
          [
            'Agent',
            agent && (
              <AppLink key="agent" to="/agents/$agentId" params={{ agentId: agent.agentId }}>
                {agent.name}
              </AppLink>
            ),
          ],
          ['Language', interaction.language],
          ['Segment', interaction.segment],
          ['Skills', skills.join(', ')],
          ['Waits since', <Time key="waits" value={interaction.waitingSince} />],
          ['Started', <Time key="started" value={interaction.startedAt} />],
          ['Ended', <Time key="ended" value={interaction.endedAt} />],
          ['Notes', notes],
        ]}
      />
    </Section>
  )
}

function Steps({
  interaction: { interactionId, status, case: about },
}: {
  interaction: Interaction
}) {
  const navigate = useNavigate({ from: '/interactions/$interactionId' })
  const open = (dialog: string) => void navigate({ search: { dialog }, resetScroll: false })
  const variables = { interactionId }
  return (
    <>
      {!about && (
        <Button variant="default" onClick={() => open('link')}>
          Link to a case
        </Button>
      )}
      {status === 'WAITING' && (
        <CommandButton
          id={`abandon:${interactionId}`}
          mutation={AbandonInteractionDocument}
          variables={variables}
          variant="default"
        >
          Abandon
        </CommandButton>
      )}
      {status === 'ASSIGNED' && (
        <>
          <CommandButton
            id={`requeue:${interactionId}`}
            mutation={RequeueInteractionDocument}
            variables={variables}
            variant="default"
          >
            Back to the queue
          </CommandButton>
          <Button onClick={() => open('complete')}>Wrap up</Button>
        </>
      )}
    </>
  )
}

function Dialogs({ interactionId }: { interactionId: string }) {
  const { dialog } = useSearch({ from: '/interactions/$interactionId' })
  const navigate = useNavigate({ from: '/interactions/$interactionId' })
  const close = () => void navigate({ search: {}, resetScroll: false })
  return (
    <>
      <Modal opened={dialog === 'complete'} onClose={close} title="Wrap up">
        <CommandForm
          id={`complete:${interactionId}`}
          mutation={CompleteInteractionDocument}
          initialValues={{ notes: '' }}
          variables={({ notes }) => ({
            interactionId,
            ...(notes.trim() && { notes: notes.trim() }),
          })}
          submitLabel="Complete"
          onCancel={close}
          onDone={close}
        >
          {(form) => (
            <Textarea
              label="Notes"
              description="Only the bank reads them."
              autosize
              minRows={3}
              {...form.getInputProps('notes')}
            />
          )}
        </CommandForm>
      </Modal>
      <Modal opened={dialog === 'link'} onClose={close} title="Link to a case">
        <CommandForm
          id={`link:${interactionId}`}
          mutation={LinkInteractionToCaseDocument}
          initialValues={{ caseId: '' }}
          validate={({ caseId }) => (caseId.trim() ? {} : { caseId: 'Which case?' })}
          variables={({ caseId }) => ({ interactionId, caseId: caseId.trim() })}
          fieldOfCode={{ CASE_NOT_FOUND: 'caseId' }}
          submitLabel="Link"
          onCancel={close}
          onDone={close}
        >
          {(form) => (
            <TextInput
              label="Case"
              placeholder="case_…"
              required
              {...form.getInputProps('caseId')}
            />
          )}
        </CommandForm>
      </Modal>
    </>
  )
}
