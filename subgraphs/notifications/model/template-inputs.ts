import {
  boolean,
  id,
  input,
  label,
  list,
  object,
  oneOf,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { Category, Channel } from './channel.ts'
import { VariableType } from './template.ts'

export const NewVariable = input('TemplateVariableInput', 'A variable of a template.', {
  name: label(
    'The name of the variable: a letter followed by letters, digits and underscores, at most ' +
      '64 characters. Must be unique; `subject` and `partyName` are reserved.',
  ),
  type: oneOf(
    VariableType,
    'The type of values that the variable accepts. Defaults to `STRING`.',
  ).orNull(),
  required: boolean('Whether each notification must include a value. Defaults to `true`.').orNull(),
  pii: boolean('Whether the value is personal data. Defaults to `false`.').orNull(),
})
export type NewVariable = TypeOf<typeof NewVariable>

export const TemplateApprovalInput = input(
  'TemplateApprovalInput',
  'Who may review the template.',
  {
    approvers: list(
      label(),
      'The users or clients who may review the template, as access token subjects. If omitted or ' +
        'empty, anyone with the required scope may review it.',
    ).orNull(),
  },
)
export type TemplateApprovalInput = TypeOf<typeof TemplateApprovalInput>

export const CreateNotificationTemplateInput = input(
  'CreateNotificationTemplateInput',
  'A new template.',
  {
    templateId: id('The ID of the template, chosen by the client. Generated if omitted.').orNull(),
    channel: oneOf(Channel, 'The channel the template is for.'),
    status: label(
      'The initial status: `draft`, `in-review`, `approved` or `active`. Defaults to `draft`. ' +
        '`approved` and `active` require the scope `templates:approve`, and are not allowed with ' +
        '`subject`, `body` or `variables`, because another person must approve the content.',
    ).orNull(),
    templateCode: label(
      'The code by which notifications refer to the template. Defaults to the template ID.',
    ).orNull(),
    language: label('The language of the template, as a BCP 47 tag. Defaults to `en`.').orNull(),
    subject: text(
      'The subject, as a one-line Liquid template. Required for email if `body` is sent.',
    ).orNull(),
    body: text(
      'The body, as a Liquid template: HTML for email, plain text for other channels. Defaults ' +
        'to a body that contains `personalization.message` or, without one, the subject of the ' +
        'notification.',
    ).orNull(),
    variables: list(
      object(NewVariable),
      'The variables that the subject and body use, at most 100. `subject` and `partyName` are ' +
        'always available.',
    ).orNull(),
    category: oneOf(Category, 'The purpose of the notifications. Defaults to `SERVICE`.').orNull(),
    approval: object(TemplateApprovalInput, 'Who may review the template.').orNull(),
  },
)
export type CreateNotificationTemplateInput = TypeOf<typeof CreateNotificationTemplateInput>

export const UpdateNotificationTemplateInput = input(
  'UpdateNotificationTemplateInput',
  'The complete new content of a draft template. Omitted fields are reset to their defaults.',
  {
    templateId: id('The ID of the template to update.'),
    subject: text(
      'The subject, as a one-line Liquid template. Required for email if `body` is sent.',
    ).orNull(),
    body: text(
      'The body, as a Liquid template: HTML for email, plain text for other channels. Defaults ' +
        'to a body that contains `personalization.message` or, without one, the subject of the ' +
        'notification.',
    ).orNull(),
    variables: list(
      object(NewVariable),
      'The variables that the subject and body use, at most 100. `subject` and `partyName` are ' +
        'always available.',
    ).orNull(),
  },
)
export type UpdateNotificationTemplateInput = TypeOf<typeof UpdateNotificationTemplateInput>
