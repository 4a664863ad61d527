import { useQuery } from '@apollo/client/react'
import { Select, Stack, TagsInput, TextInput } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { ChangeEvent } from 'react'
import { useChangesOfType } from '../../graph/events.ts'
import { Page, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import './channels.css'
import { mediumOptions } from './media.ts'
import {
  PreviewRoutingDocument,
  RoutingNamesDocument,
  type InteractionChannel,
} from './queries.generated.ts'
import { RoutingExplanation } from './routing-explanation.tsx'

type Field = 'channel' | 'party' | 'profile' | 'language' | 'segment' | 'skills'

/** Who would get a contact that arrives now, and why. What is entered is in the address. */
export function RoutingPage() {
  useChangesOfType(['channels.*'])
  return (
    <Page title="Routing preview" lead="Who would get a contact that arrives now, and why.">
      <div className="routing">
        <Section title="Contact">
          <Fields />
        </Section>
        <Preview />
      </div>
    </Page>
  )
}

function Fields() {
  const search = useSearch({ from: '/routing' })
  const navigate = useNavigate({ from: '/routing' })
  const { data } = useQuery(RoutingNamesDocument)
  const change = (values: Partial<Record<Field, string>>) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as typeof old, replace: true })
  const changeSoon = useDebouncedCallback(change, 250)
  const text = (field: Field) => ({
    defaultValue: search[field] ?? '',
    onChange: (event: ChangeEvent<HTMLInputElement>) =>
      changeSoon({ [field]: event.currentTarget.value.trim() }),
  })
  return (
    <Stack>
      <Select
        label="Medium"
        allowDeselect={false}
        data={mediumOptions}
        value={search.channel ?? 'VOICE'}
        onChange={(value) => change({ channel: value ?? '' })}
      />
      <TextInput label="Party" placeholder="pty_…" {...text('party')} />
      <TextInput label="Language" placeholder="en" {...text('language')} />
      <TextInput label="Segment" {...text('segment')} />
      <TagsInput
        label="Skills that it needs"
        description="Press Enter after each."
        value={search.skills?.split(' ') ?? []}
        onChange={(skills) => change({ skills: skills.join(' ') })}
      />
      <Select
        label="Routing profile"
        placeholder="The one that fits best"
        clearable
        clearButtonProps={{ 'aria-label': 'The one that fits best' }}
        data={(data?.routingProfiles?.nodes ?? []).map(({ routingProfileId, name }) => ({
          value: routingProfileId,
          label: name,
        }))}
        value={search.profile ?? null}
        onChange={(value) => change({ profile: value ?? '' })}
      />
    </Stack>
  )
}

function Preview() {
  const {
    channel = 'VOICE',
    party,
    profile,
    language,
    segment,
    skills,
  } = useSearch({
    from: '/routing',
  })
  const { data, previousData, error, refetch } = useQuery(PreviewRoutingDocument, {
    variables: {
      input: {
        channel: channel as InteractionChannel,
        subject: 'A preview',
        ...(party && { partyId: party }),
        ...(profile && { routingProfileId: profile }),
        ...(language && { language }),
        ...(segment && { segment }),
        ...(skills && { skills: skills.split(' ') }),
      },
    },
    pollInterval: pollMs,
  })
  const decision = (data ?? previousData)?.previewRouting
  return (
    <Section title="Decision" description="Nothing is stored, and nobody is called.">
      {error && <ProblemAlert error={error} onRetry={() => void refetch()} />}
      {!decision && !error && <Lines count={5} />}
      {decision && !error && <RoutingExplanation decision={decision} channel={channel} isNow />}
    </Section>
  )
}

/** A preview is not repeated after events, but agents come and go. */
const pollMs = 5000
