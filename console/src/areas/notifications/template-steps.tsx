import { Button, Modal, Textarea } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { CommandButton } from '../../parts/command-button.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { useSession } from '../../session/session.ts'
import {
  ActivateNotificationTemplateDocument,
  ApproveNotificationTemplateDocument,
  RejectNotificationTemplateDocument,
  ReopenNotificationTemplateDocument,
  RetireNotificationTemplateDocument,
  SubmitNotificationTemplateDocument,
} from './queries.generated.ts'
import type { Template } from './template-values.ts'

const steps = {
  DRAFT: ['Submit for review', 'templates:write', SubmitNotificationTemplateDocument],
  IN_REVIEW: ['Approve', 'templates:approve', ApproveNotificationTemplateDocument],
  APPROVED: ['Activate', 'templates:approve', ActivateNotificationTemplateDocument],
  REJECTED: ['Reopen', 'templates:write', ReopenNotificationTemplateDocument],
  ACTIVE: ['Retire', 'templates:approve', RetireNotificationTemplateDocument],
  RETIRED: null,
} as const

/** The steps that the status of a template permits to the person. */
export function TemplateSteps({ template }: { template: Template }) {
  const { templateId, status, approval } = template
  const navigate = useNavigate({ from: '/notification-templates/$templateId' })
  const { person } = useSession()
  const open = (dialog: string) => () => void navigate({ search: { dialog }, resetScroll: false })
  const step = steps[status]
  if (!step) return null
  const [label, scope, mutation] = step
  const isOwnWork = status === 'IN_REVIEW' && approval.authoredBy === person.username
  if (!person.scopes.includes(scope) || isOwnWork) return null
  return (
    <>
      {status === 'DRAFT' && (
        <Button variant="default" onClick={open('edit')}>
          Edit
        </Button>
      )}
      {status === 'IN_REVIEW' && (
        <Button variant="default" onClick={open('reject')}>
          Reject
        </Button>
      )}
      <CommandButton
        id={`${status}:${templateId}`}
        mutation={mutation as typeof SubmitNotificationTemplateDocument}
        variables={{ templateId }}
      >
        {label}
      </CommandButton>
    </>
  )
}

/** Rejects a template with a reason that its author reads. */
export const RejectDialog = ({
  templateId,
  onClose,
}: {
  templateId: string
  onClose: () => void
}) => (
  <Modal opened onClose={onClose} title="Reject the template">
    <CommandForm
      id={`reject-template:${templateId}`}
      mutation={RejectNotificationTemplateDocument}
      initialValues={{ reason: '' }}
      validate={({ reason }) => (reason.trim() ? {} : { reason: 'Required.' })}
      variables={({ reason }) => ({ templateId, reason: reason.trim() })}
      submitLabel="Reject"
      isDangerous
      onCancel={onClose}
      onDone={onClose}
    >
      {(form) => (
        <Textarea
          label="Reason"
          description="The author reads it."
          required
          autosize
          {...form.getInputProps('reason')}
        />
      )}
    </CommandForm>
  </Modal>
)
