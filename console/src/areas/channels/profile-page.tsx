import { Alert, Button, Group, Modal, Stack } from '@mantine/core'
import { useQuery } from '@apollo/client/react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { useChanges } from '../../graph/events.ts'
import { CommandButton } from '../../parts/command-button.tsx'
import { formatSpan, readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Facts, Id, State } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import { agentColumns } from './agent-columns.tsx'
import { UpdateProfileForm } from './profile-form.tsx'
import {
  ActivateRoutingProfileDocument,
  AgentsDocument,
  ArchiveRoutingProfileDocument,
  DeactivateRoutingProfileDocument,
  RoutingProfileDocument,
  type ProfilePartsFragment,
} from './queries.generated.ts'

/** A routing profile: which work its agents get, in which order, and up to which limits. */
export function ProfilePage() {
  const { routingProfileId } = useParams({ from: '/routing-profiles/$routingProfileId' })
  return (
    <Query query={RoutingProfileDocument} variables={{ routingProfileId }}>
      {({ routingProfile }) =>
        routingProfile ? <Details key={routingProfileId} profile={routingProfile} /> : <NotFound />
      }
    </Query>
  )
}

function Details({ profile }: { profile: ProfilePartsFragment }) {
  const { routingProfileId, name, status, missing } = profile
  const { dialog } = useSearch({ from: '/routing-profiles/$routingProfileId' })
  const navigate = useNavigate({ from: '/routing-profiles/$routingProfileId' })
  const close = () => void navigate({ search: {}, resetScroll: false })
  useChanges([`routing-profile/${routingProfileId}`])
  return (
    <Page
      subject={`routing-profile/${routingProfileId}`}
      title={name}
      lead={
        <Group gap="sm">
          <State value={status} />
          <Id value={routingProfileId} />
        </Group>
      }
      actions={<Steps profile={profile} />}
    >
      <Stack gap="lg">
        {missing.length > 0 && (
          <Alert color="yellow" title="No work reaches agents through this profile yet">
            Still missing: {missing.map((each) => readable(each).toLowerCase()).join(', ')}.
          </Alert>
        )}
        <About profile={profile} />
        <Queues profile={profile} />
        <Agents routingProfileId={routingProfileId} />
      </Stack>
      <Modal opened={dialog === 'edit'} onClose={close} title="Change the profile" size="xl">
        <UpdateProfileForm profile={profile} onClose={close} />
      </Modal>
    </Page>
  )
}

function Steps({ profile: { routingProfileId, status } }: { profile: ProfilePartsFragment }) {
  const navigate = useNavigate({ from: '/routing-profiles/$routingProfileId' })
  const may = useMay()
  if (!may('routing:write') || status === 'ARCHIVED') return null
  const variables = { routingProfileId }
  return (
    <>
      <Button
        variant="default"
        onClick={() => void navigate({ search: { dialog: 'edit' }, resetScroll: false })}
      >
        Change
      </Button>
      {status === 'ACTIVE' && (
        <CommandButton
          id={`deactivate:${routingProfileId}`}
          mutation={DeactivateRoutingProfileDocument}
          variables={variables}
          variant="default"
        >
          Suspend
        </CommandButton>
      )}
      {status === 'INACTIVE' && (
        <CommandButton
          id={`archive:${routingProfileId}`}
          mutation={ArchiveRoutingProfileDocument}
          variables={variables}
          color="red.9"
        >
          Archive
        </CommandButton>
      )}
      {status !== 'ACTIVE' && (
        <CommandButton
          id={`activate:${routingProfileId}`}
          mutation={ActivateRoutingProfileDocument}
          variables={variables}
        >
          Activate
        </CommandButton>
      )}
    </>
  )
}

function About({ profile }: { profile: ProfilePartsFragment }) {
  const { kind, segments, languages, skills, fallbackProfile, hours } = profile
  return (
    <Section title="About">
      <Facts
        facts={[
          ['Kind', readable(kind)],
          ['Segments', segments.length > 0 ? segments.join(', ') : 'All customers'],
          ['Languages', languages.join(', ')],
          ['Skills of all its agents', skills.join(', ')],
          [
            'Falls back to',
            fallbackProfile && (
              <AppLink
                key="fallback"
                to="/routing-profiles/$routingProfileId"
                params={{ routingProfileId: fallbackProfile.routingProfileId }}
              >
                {fallbackProfile.name}
              </AppLink>
            ),
          ],
          ['Idle time counts from', readable(profile.agentAvailabilityTimer)],
          [
            'Opening hours',
            hours
              ? hours.weekly
                  .map(({ day, from, to }) => `${readable(day)} ${from}–${to}`)
                  .concat(hours.zone)
                  .join(', ')
              : 'Always',
          ],
          [
            'Limits',
            profile.mediaConcurrencies
              .map(({ channel, concurrency }) => `${concurrency} × ${readable(channel)}`)
              .join(', '),
          ],
        ]}
      />
    </Section>
  )
}

const queueColumns: readonly Column<ProfilePartsFragment['queues'][number]>[] = [
  {
    title: 'Queue',
    cell: ({ queueId }) => (
      <AppLink to="/queues/$queueId" params={{ queueId }}>
        {queueId}
      </AppLink>
    ),
  },
  { title: 'Medium', cell: ({ channel }) => readable(channel) },
  { title: 'Priority', isNumeric: true, cell: ({ priority }) => priority },
  {
    title: 'Delay',
    isNumeric: true,
    cell: ({ delaySeconds }) => (delaySeconds === 0 ? 'None' : formatSpan(delaySeconds)),
  },
]

const Queues = ({ profile: { queues } }: { profile: ProfilePartsFragment }) => (
  <Section title="Queues" description="The lowest number has the highest priority.">
    <ConnectionTable
      label="Queues"
      connection={{ nodes: queues, pageInfo: { hasNextPage: false } }}
      columns={queueColumns}
      keyOf={({ queueId, channel }) => `${queueId} ${channel}`}
      empty="The profile serves no queue. Change it and add one."
    />
  </Section>
)

function Agents({ routingProfileId }: { routingProfileId: string }) {
  const { data } = useQuery(AgentsDocument, { variables: { routingProfileId } })
  return (
    <Section title="Agents">
      <ConnectionTable
        label="Agents"
        connection={data?.agents}
        columns={agentColumns}
        keyOf={({ agentId }) => agentId}
        empty="No agent uses this profile. Create one in the contact center."
      />
    </Section>
  )
}
