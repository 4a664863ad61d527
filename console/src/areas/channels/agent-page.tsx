import { Button, Group, Modal, Stack } from '@mantine/core'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChangesOfType } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { formatLanguage, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { Facts, Id, State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { loadText } from './agent-columns.tsx'
import { UpdateAgentForm } from './agent-form.tsx'
import {
  AgentDocument,
  SetAgentStatusDocument,
  type AgentPartsFragment,
  type AgentStatus,
} from './queries.generated.ts'
import { WorkSection } from './work-section.tsx'

/** The states that an agent can change to, from each state. */
const nextStates: Readonly<Record<AgentStatus, readonly AgentStatus[]>> = {
  OFFLINE: ['AVAILABLE'],
  AVAILABLE: ['AWAY', 'OFFLINE'],
  AWAY: ['AVAILABLE', 'OFFLINE'],
}

/** An agent: the state, the work, and what was completed. */
export function AgentPage() {
  const { agentId } = useParams({ from: '/agents/$agentId' })
  useChangesOfType(['channels.*'])
  return (
    <Query query={AgentDocument} variables={{ agentId }}>
      {({ agent }) => (agent ? <Details key={agentId} agent={agent} /> : <NotFound />)}
    </Query>
  )
}

function Details({ agent }: { agent: AgentPartsFragment }) {
  const { agentId, name, status } = agent
  const { dialog } = useSearch({ from: '/agents/$agentId' })
  const navigate = useNavigate({ from: '/agents/$agentId' })
  const may = useMay()
  const open = (dialogName: string | undefined) =>
    void navigate({
      search: (old) => ({ ...old, dialog: dialogName }) as typeof old,
      resetScroll: false,
    })
  return (
    <Page
      subject={`agent/${agentId}`}
      title={name}
      lead={
        <Group gap="sm">
          <State value={status} />
          <Id value={agentId} />
        </Group>
      }
      actions={
        may('routing:write') && (
          <>
            <Button variant="default" onClick={() => open('edit')}>
              Change
            </Button>
            {nextStates[status].map((next, index) => (
              <CommandButton
                key={next}
                id={`agent-status:${agentId}:${next}`}
                mutation={SetAgentStatusDocument}
                variables={{ agentId, status: next }}
                variant={index === 0 ? 'filled' : 'default'}
              >
                Set {readable(next).toLowerCase()}
              </CommandButton>
            ))}
          </>
        )
      }
    >
      <Stack gap="lg">
        <About agent={agent} />
        <Work agentId={agentId} />
      </Stack>
      <Modal opened={dialog === 'edit'} onClose={() => open(undefined)} title="Change the agent">
        <UpdateAgentForm agent={agent} onClose={() => open(undefined)} />
      </Modal>
    </Page>
  )
}

function About({ agent }: { agent: AgentPartsFragment }) {
  const { agentId, routingProfileId, routingProfile, skills, languages } = agent
  return (
    <Section title="Agent">
      <Facts
        facts={[
          [
            'Routing profile',
            <AppLink
              key="profile"
              to="/routing-profiles/$routingProfileId"
              params={{ routingProfileId }}
            >
              {routingProfile?.name ?? routingProfileId}
            </AppLink>,
          ],
          ['Works on', loadText(agent.load)],
          ['Skills', skills.join(', ')],
          ['Languages', languages.map(formatLanguage).join(', ')],
          ['Last active', <Time key="active" value={agent.lastActivityAt} />],
          [
            'Cases',
            <AppLink key="cases" to="/cases" search={{ assignee: agentId }}>
              Cases of this agent
            </AppLink>,
          ],
        ]}
      />
    </Section>
  )
}

function Work({ agentId }: { agentId: string }) {
  const search = useSearch({ from: '/agents/$agentId' })
  const navigate = useNavigate({ from: '/agents/$agentId' })
  return (
    <WorkSection
      filter={{ agentId }}
      first="ASSIGNED"
      emptyOf={{
        ASSIGNED: 'The agent has no work now. Work arrives while the agent is available.',
        COMPLETED: 'The agent has completed nothing yet.',
      }}
      search={search}
      onSearch={(next) => void navigate({ search: next })}
    />
  )
}
