import {
  input,
  jsonObject,
  label,
  list,
  object,
  oneOf,
  shape,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { Personalization } from '../domain/personalization.ts'
import { Channel } from './channel.ts'
import { NewVariable } from './template-inputs.ts'

export const PreviewNotificationTemplateInput = input(
  'PreviewNotificationTemplateInput',
  'The content of a template, and the values with which to render it.',
  {
    channel: oneOf(Channel, 'The channel the template is for.'),
    subject: text(
      'The subject, as a one-line Liquid template. Required for email if `body` is sent.',
    ).orNull(),
    body: text(
      'The body, as a Liquid template: HTML for email, plain text for other channels. Defaults ' +
        'to the default body of a new template.',
    ).orNull(),
    variables: list(
      object(NewVariable),
      'The variables that the subject and body use, at most 100.',
    ).orNull(),
    personalization: jsonObject('The values for the template variables.')
      .as<Personalization>()
      .orNull(),
    notificationSubject: text(
      "The subject of the notification, which replaces the template's.",
    ).orNull(),
    partyName: label(
      'The value of the variable `partyName`. Defaults to the name of a sample party.',
    ).orNull(),
  },
)
export type PreviewNotificationTemplateInput = TypeOf<typeof PreviewNotificationTemplateInput>

export const TemplateFault = shape(
  'NotificationTemplateFault',
  'A reason why content cannot be saved as a template, or why a notification cannot be sent.',
  {
    pointer: string(
      'The JSON pointer to the value in the input, such as `/body` or `/personalization/name`; ' +
        'empty if the fault concerns the input as a whole.',
    ),
    code: string('The code of the fault, such as `MISSING_PERSONALIZATION`.'),
    detail: string('The explanation of the fault.'),
  },
)

export const NotificationTemplatePreview = shape(
  'NotificationTemplatePreview',
  'The message that the delivery of a notification would produce. Nothing is stored.',
  {
    subject: string(
      'The rendered subject; null for channels without subjects, and if there are faults.',
    ).orNull(),
    body: string(
      'The rendered body: HTML for email, plain text for other channels; null if there are faults.',
    ).orNull(),
    faults: list(
      object(TemplateFault),
      'What prevents the content from being saved or sent, such as missing and undeclared ' +
        'variables; empty if nothing does.',
    ),
  },
)
export type NotificationTemplatePreview = TypeOf<typeof NotificationTemplatePreview>
