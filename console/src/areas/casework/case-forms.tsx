import { Textarea, TextInput } from '@mantine/core'
import { CommandForm } from '../../parts/command-form.tsx'
import {
  LinkCaseDocument,
  ReopenCaseDocument,
  ResolveCaseDocument,
  WaitForCustomerDocument,
  WithdrawCaseDocument,
} from './queries.generated.ts'

export interface CaseFormProps {
  caseId: string
  onClose: () => void
}

/** Asks the customer something, which pauses the time of the case. */
export const AskForm = ({ caseId, onClose }: CaseFormProps) => (
  <CommandForm
    id={`ask:${caseId}`}
    mutation={WaitForCustomerDocument}
    initialValues={{ question: '' }}
    variables={({ question }) => ({
      caseId,
      ...(question.trim() && { question: question.trim() }),
    })}
    submitLabel="Wait for the answer"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <Textarea
        label="Question"
        description="The customer reads it. The time of the case is paused until the answer."
        autosize
        {...form.getInputProps('question')}
      />
    )}
  </CommandForm>
)

/** Resolves a case with an outcome that the customer reads. */
export const ResolveForm = ({ caseId, onClose }: CaseFormProps) => (
  <CommandForm
    id={`resolve:${caseId}`}
    mutation={ResolveCaseDocument}
    initialValues={{ outcome: '' }}
    validate={({ outcome }) => (outcome.trim() ? {} : { outcome: 'What is the outcome?' })}
    variables={({ outcome }) => ({ caseId, outcome: outcome.trim() })}
    submitLabel="Resolve"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <Textarea
        label="Outcome"
        description="The customer reads it."
        required
        autosize
        {...form.getInputProps('outcome')}
      />
    )}
  </CommandForm>
)

/** Reopens a resolved case. */
export const ReopenForm = ({ caseId, onClose }: CaseFormProps) => (
  <CommandForm
    id={`reopen:${caseId}`}
    mutation={ReopenCaseDocument}
    initialValues={{ reason: '' }}
    variables={({ reason }) => ({ caseId, ...(reason.trim() && { reason: reason.trim() }) })}
    submitLabel="Reopen"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => <Textarea label="Reason" autosize {...form.getInputProps('reason')} />}
  </CommandForm>
)

/** Withdraws a case for good. */
export const WithdrawForm = ({ caseId, onClose }: CaseFormProps) => (
  <CommandForm
    id={`withdraw:${caseId}`}
    mutation={WithdrawCaseDocument}
    initialValues={{ reason: '' }}
    variables={({ reason }) => ({ caseId, ...(reason.trim() && { reason: reason.trim() }) })}
    submitLabel="Withdraw for good"
    isDangerous
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => <Textarea label="Reason" autosize {...form.getInputProps('reason')} />}
  </CommandForm>
)

/** Links a case to another record that it is about. */
export const LinkForm = ({ caseId, onClose }: CaseFormProps) => (
  <CommandForm
    id={`link:${caseId}`}
    mutation={LinkCaseDocument}
    initialValues={{ subject: '' }}
    validate={({ subject }) => (subject.trim() ? {} : { subject: 'Which record?' })}
    variables={({ subject }) => ({ caseId, subject: subject.trim() })}
    submitLabel="Link"
    onCancel={onClose}
    onDone={onClose}
  >
    {(form) => (
      <TextInput
        label="Record"
        description="Its kind and its ID"
        placeholder="arrangement/arr_…"
        required
        {...form.getInputProps('subject')}
      />
    )}
  </CommandForm>
)
