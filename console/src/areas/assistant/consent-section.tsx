import { Alert, Group, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import { NotifyingButton } from '../../parts/notifying-button.tsx'
import { GrantAssistConsentDocument } from './queries.generated.ts'
import type { Assistant } from './records.ts'

interface ConsentSectionProps {
  assistant: Assistant | undefined
  partyId: string
  /** Whether the person who is logged in is the party. */
  isOwn: boolean
}

/** Where an assistant needs the consent of the party: how to give it, or to record that it was given. */
export function ConsentSection({ assistant, partyId, isOwn }: ConsentSectionProps) {
  const [evidence, setEvidence] = useState('')
  if (!assistant?.isConsentRequired || partyId.trim() === '') return null
  const { assistantType } = assistant
  const input = { partyId: partyId.trim(), assistantType, evidence: evidence.trim() || null }
  return (
    <Alert color="yellow" title={`This assistant needs ${isOwn ? 'your ' : ''}consent`}>
      <Text size="sm" mb="sm">
        {isOwn
          ? 'The model that answers sees your data. You can withdraw your consent at any time.'
          : 'The model that answers sees the data of the party.'}
      </Text>
      <Group align="flex-end">
        {!isOwn && (
          <TextInput
            label="How did the party consent?"
            placeholder="Signed form, phone call …"
            value={evidence}
            onChange={({ currentTarget }) => setEvidence(currentTarget.value)}
            onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
          />
        )}
        <NotifyingButton
          id={`consent:${partyId}:${assistantType}`}
          mutation={GrantAssistConsentDocument}
          variables={{ input }}
          done="The consent is recorded"
          variant="default"
          disabled={!isOwn && input.evidence === null}
        >
          {isOwn ? 'I consent' : 'Record the consent'}
        </NotifyingButton>
      </Group>
    </Alert>
  )
}
