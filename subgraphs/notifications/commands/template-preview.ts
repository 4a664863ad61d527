import { renderMessage } from '../delivery/wordings.ts'
import { Problem } from '../domain/problems.ts'
import { completeContent } from '../domain/template.ts'
import type {
  NotificationTemplatePreview,
  PreviewNotificationTemplateInput,
} from '../model/template-preview.ts'
import { compileWording, requireWording } from './wording.ts'

const samplePartyName = 'Ada Lovelace'

const failures = {
  'empty-body': { code: 'EMPTY_BODY', detail: 'The rendered body is empty.' },
  'body-too-long': {
    code: 'BODY_TOO_LONG',
    detail: 'The rendered body is too long for the channel.',
  },
}

/**
 * Renders content as the delivery of a notification does, without storing anything. Returns what
 * prevents the content from being saved or sent as faults.
 */
export function previewTemplate(
  input: PreviewNotificationTemplateInput,
): NotificationTemplatePreview {
  const { channel, personalization, partyName, notificationSubject: subject } = input
  try {
    const content = completeContent(channel, input)
    requireWording(content)
    const template = { variables: content.variables, wording: compileWording(channel, content) }
    const values = { channel, personalization: personalization ?? null, subject: subject ?? null }
    const rendered = renderMessage(values, template, partyName ?? samplePartyName)
    if (!('failure' in rendered)) return { ...rendered, faults: [] }
    return withFaults([{ pointer: '/body', ...failures[rendered.failure] }])
  } catch (error) {
    return withFaults(faultsOf(error as Error))
  }
}

type Faults = NotificationTemplatePreview['faults']

const withFaults = (faults: Faults) => ({ subject: null, body: null, faults })

/** Returns the faults of a problem. An error of Liquid while it renders is a fault of the body. */
function faultsOf(error: Error): Faults {
  if (!(error instanceof Problem)) {
    const detail = error.message.split('\n')[0]!.slice(0, 200)
    return [{ pointer: '/body', code: 'RENDERING_FAILED', detail }]
  }
  const { code, message, members } = error
  const faults = members.errors ?? [{ pointer: '', code, detail: message }]
  return faults.map(({ pointer = '', code, detail }) => ({ pointer, code, detail }))
}
