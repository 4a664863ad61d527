import { useQuery } from '@apollo/client/react'
import { Alert, List, SegmentedControl, Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { Empty, Section } from '../../parts/page.tsx'
import { ProblemAlert } from '../../parts/problem-alert.tsx'
import { Lines } from '../../parts/query.tsx'
import { MessageText } from './message-text.tsx'
import { channels } from './options.ts'
import {
  PreviewedPartyDocument,
  PreviewNotificationTemplateDocument,
  type NotificationChannel,
  type PreviewNotificationTemplateQueryVariables,
} from './queries.generated.ts'
import { contentInput, sampleOf, type ContentValues } from './template-values.ts'

interface TemplatePreviewProps {
  channel: NotificationChannel
  content: ContentValues
}

/** The message as a customer would receive it, with sample values that can be changed. */
export function TemplatePreview({ channel, content }: TemplatePreviewProps) {
  const [chosen, setChosen] = useState<NotificationChannel | null>(null)
  const [samples, setSamples] = useState<Readonly<Record<string, string>>>({})
  const [partyId, setPartyId] = useState('')
  const [typedParty] = useDebouncedValue(partyId.trim(), 300)
  const party = useQuery(PreviewedPartyDocument, {
    variables: { partyId: typedParty },
    skip: !typedParty,
  }).data?.party
  const shown = chosen ?? channel
  const named = content.variables.filter(({ name }) => name.trim() !== '')
  const input = {
    channel: shown,
    ...contentInput(shown, { ...content, variables: named }),
    personalization: Object.fromEntries(
      named.map((variable) => [variable.name, sampleOf(variable, samples[variable.name])]),
    ),
    ...(party && typedParty && { partyName: party.displayName }),
  }
  return (
    <Section title="Preview" description="As the customer receives it. Nothing is stored.">
      <Stack>
        <SegmentedControl
          aria-label="Channel of the preview"
          className="scrolling-x"
          data={channels}
          value={shown}
          onChange={(value) => setChosen(value as NotificationChannel)}
        />
        {content.body.trim() ? (
          <Rendered input={input} />
        ) : (
          <Empty>Enter a body to see the message.</Empty>
        )}
        <TextInput
          label="Customer of the preview"
          description="The ID of a party whose name is used; empty for a sample."
          placeholder="pty_…"
          value={partyId}
          onChange={({ currentTarget }) => setPartyId(currentTarget.value)}
        />
        {named.map(({ name }, index) => (
          <TextInput
            key={index}
            label={`Value of ${name}`}
            value={samples[name] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              setSamples((old) => ({ ...old, [name]: value }))
            }
          />
        ))}
      </Stack>
    </Section>
  )
}

function Rendered({ input }: PreviewNotificationTemplateQueryVariables) {
  const [typed] = useDebouncedValue(JSON.stringify(input), 300)
  const variables = { input: JSON.parse(typed) as typeof input }
  const { data, previousData, error } = useQuery(PreviewNotificationTemplateDocument, {
    variables,
    fetchPolicy: 'network-only',
  })
  const preview = (data ?? previousData)?.previewNotificationTemplate
  if (error) return <ProblemAlert error={error} />
  if (!preview) return <Lines />
  return (
    <div aria-live="polite">
      {preview.faults.length > 0 && (
        <Alert color="yellow" title="The message cannot be sent like this">
          <List>
            {preview.faults.map(({ pointer, detail }) => (
              <List.Item key={pointer + detail}>{detail}</List.Item>
            ))}
          </List>
        </Alert>
      )}
      {typeof preview.body === 'string' && (
        <MessageText channel={input.channel} subject={preview.subject} body={preview.body} />
      )}
    </div>
  )
}
