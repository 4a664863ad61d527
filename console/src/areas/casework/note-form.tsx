import { SegmentedControl, Stack, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { useSession } from '../../session/session.ts'
import { AddCaseNoteDocument } from './queries.generated.ts'

const audiences = [
  { value: 'internal', label: 'For the bank only' },
  { value: 'shared', label: 'Also for the customer' },
]

/** Writes a note. What an employee writes is internal, unless it is shared with the customer. */
export function NoteForm({ caseId }: { caseId: string }) {
  const isEmployee = useSession().person.partyId === null
  // A sent note leaves an empty form.
  const [sent, setSent] = useState(0)
  return (
    <CommandForm
      key={sent}
      id={`note:${caseId}`}
      mutation={AddCaseNoteDocument}
      initialValues={{ text: '', audience: 'internal' }}
      validate={({ text }) => (text.trim() ? {} : { text: 'Write something first.' })}
      variables={({ text, audience }) => ({
        caseId,
        text: text.trim(),
        isShared: !isEmployee || audience === 'shared',
      })}
      submitLabel={isEmployee ? 'Add the note' : 'Send to the bank'}
      onDone={() => setSent((count) => count + 1)}
    >
      {(form) => (
        <Stack>
          <Textarea
            label={isEmployee ? 'Note' : 'What do you want to tell the bank?'}
            autosize
            minRows={2}
            {...form.getInputProps('text')}
          />
          {isEmployee && (
            <SegmentedControl
              aria-label="Who can read it"
              data={audiences}
              {...form.getInputProps('audience')}
            />
          )}
        </Stack>
      )}
    </CommandForm>
  )
}
