import { Field, ID, InputType } from 'type-graphql'
import { LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import type { Channel } from '../domain/channel.ts'
import type { NewVariable, VariableType } from '../domain/personalization.ts'
import type { Category } from '../domain/suppression.ts'
import type { NewContent, NewTemplate } from '../domain/template.ts'
import { NotificationChannelEnum, CategoryEnum, VariableTypeEnum } from './template.types.ts'

@InputType({ description: 'A variable of a template.' })
export class TemplateVariableInput implements NewVariable {
  @Field(() => LabelScalar, {
    description:
      'The name of the variable: a letter followed by letters, digits and underscores, at most ' +
      '64 characters. Must be unique; `subject` and `partyName` are reserved.',
  })
  name: string

  @Field(() => VariableTypeEnum, {
    nullable: true,
    description: 'The type of values that the variable accepts. Defaults to `STRING`.',
  })
  type?: VariableType | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether each notification must include a value. Defaults to `true`.',
  })
  required?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Whether the value is personal data. Defaults to `false`.',
  })
  pii?: boolean | null
}

@InputType({ description: 'Who may review the template.' })
export class TemplateApprovalInput {
  @Field(() => [LabelScalar], {
    nullable: true,
    description:
      'The users or clients who may review the template, as access token subjects. If omitted or ' +
      'empty, anyone with the required scope may review it.',
  })
  approvers?: string[] | null
}

@InputType({ description: 'A new template.' })
export class CreateNotificationTemplateInput implements NewTemplate {
  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the template, chosen by the client. Generated if omitted.',
  })
  templateId?: string | null

  @Field(() => NotificationChannelEnum, { description: 'The channel the template is for.' })
  channel: Channel

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The initial status: `draft`, `in-review`, `approved` or `active`. Defaults to `draft`. ' +
      '`approved` and `active` require the scope `templates:approve`, and are not allowed with ' +
      '`subject`, `body` or `variables`, because another person must approve the content.',
  })
  status?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The code by which notifications refer to the template. Defaults to the template ID.',
  })
  templateCode?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The language of the template, as a BCP 47 tag. Defaults to `en`.',
  })
  language?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The subject, as a one-line Liquid template. Required for email if `body` is sent.',
  })
  subject?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The body, as a Liquid template: HTML for email, plain text for other channels. Defaults ' +
      'to a body that contains `personalization.message` or, without one, the subject of the ' +
      'notification.',
  })
  body?: string | null

  @Field(() => [TemplateVariableInput], {
    nullable: true,
    description:
      'The variables that the subject and body use, at most 100. `subject` and `partyName` are ' +
      'always available.',
  })
  variables?: TemplateVariableInput[] | null

  @Field(() => CategoryEnum, {
    nullable: true,
    description: 'The purpose of the notifications. Defaults to `SERVICE`.',
  })
  category?: Category | null

  @Field(() => TemplateApprovalInput, {
    nullable: true,
    description: 'Who may review the template.',
  })
  approval?: TemplateApprovalInput | null
}

@InputType({
  description:
    'The complete new content of a draft template. Omitted fields are reset to their defaults.',
})
export class UpdateNotificationTemplateInput implements NewContent {
  @Field(() => ID, { description: 'The ID of the template to update.' })
  templateId: string

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The subject, as a one-line Liquid template. Required for email if `body` is sent.',
  })
  subject?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The body, as a Liquid template: HTML for email, plain text for other channels. Defaults ' +
      'to a body that contains `personalization.message` or, without one, the subject of the ' +
      'notification.',
  })
  body?: string | null

  @Field(() => [TemplateVariableInput], {
    nullable: true,
    description:
      'The variables that the subject and body use, at most 100. `subject` and `partyName` are ' +
      'always available.',
  })
  variables?: TemplateVariableInput[] | null
}
