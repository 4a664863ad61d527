import { Directive, Field, ID, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../../kernel/graph/connection.ts'
import { wireEnum } from '../../../kernel/graph/enums.ts'
import { DateTimeScalar } from '../../../kernel/graph/scalars.ts'
import { channels, type Channel } from '../domain/channel.ts'
import { variableTypes, type Variable, type VariableType } from '../domain/personalization.ts'
import { categories, type Category } from '../domain/suppression.ts'
import { templateStatuses, type TemplateStatus } from '../domain/template.ts'

export const NotificationChannelEnum = wireEnum(
  'NotificationChannel',
  channels,
  'The channel over which a notification is sent.',
  {
    email: 'Email. Bodies are HTML.',
    sms: 'Text message. Bodies are plain text of at most 1,530 characters.',
    push: 'Push notification on a mobile device. Bodies are plain text of at most 240 characters.',
    'secure-message': "A message in the bank's own secure inbox. Bodies are plain text.",
  },
)

export const TemplateStatusEnum = wireEnum(
  'NotificationTemplateStatus',
  templateStatuses,
  'The lifecycle status of a notification template.',
  {
    draft: 'The template is being written and can be changed.',
    'in-review': 'The template waits for the review of another person.',
    approved: 'Another person approved the template. It is not in use yet.',
    rejected: 'A reviewer rejected the template. It can be reopened as a draft.',
    active: 'The template is used for new notifications.',
    retired: 'The template is no longer used. This status is final.',
  },
)

export const CategoryEnum = wireEnum(
  'NotificationCategory',
  categories,
  'The purpose of a notification, which determines the rules for sending it.',
  {
    service: 'Information about a product or service the party uses.',
    marketing: 'Advertising. Not sent to parties who opted out, or during their quiet hours.',
    regulatory: 'Information the bank is required by law to send.',
  },
)

export const VariableTypeEnum = wireEnum(
  'TemplateVariableType',
  variableTypes,
  'The type of values that a template variable accepts.',
  {
    string: 'Text of at most 1,000 characters. Numbers and booleans are accepted as well.',
    number: 'A JSON number.',
    boolean: '`true` or `false`.',
  },
)

@ObjectType({
  description: 'A value that a template takes from the personalization of each notification.',
})
export class TemplateVariable implements Variable {
  @Field(() => String, { description: 'The name of the variable.' })
  name: string

  @Field(() => VariableTypeEnum, { description: 'The type of values that the variable accepts.' })
  type: VariableType

  @Field(() => Boolean, { description: 'Whether each notification must include a value.' })
  required: boolean

  @Field(() => Boolean, { description: 'Whether the value is personal data.' })
  pii: boolean
}

@ObjectType({ description: 'Who may review the template. The author cannot be the reviewer.' })
export class TemplateApproval {
  @Field(() => [String], {
    description:
      'The users or clients who may review the template, as access token subjects; empty if ' +
      'anyone with the required scope may review it.',
  })
  approvers: readonly string[]

  @Field(() => String, { description: 'The user or client who last wrote the content.' })
  authoredBy: string

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the template was submitted for review; null while it is a draft.',
  })
  submittedAt: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'The user or client who approved the template; null if it was not approved.',
  })
  approvedBy: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the template was approved; null if it was not approved.',
  })
  approvedAt: Date | null

  @Field(() => String, {
    nullable: true,
    description: 'Why a reviewer last rejected the template; null if it was never rejected.',
  })
  rejectionReason: string | null
}

@ObjectType({ description: 'The wording of a notification for one code, channel and language.' })
@Directive('@key(fields: "templateId")')
export class NotificationTemplate {
  @Field(() => ID, { description: 'The ID of the template, such as `tpl_…`.' })
  templateId: string

  @Field(() => String, { description: 'The code by which notifications refer to the template.' })
  templateCode: string

  @Field(() => NotificationChannelEnum, { description: 'The channel the template is for.' })
  channel: Channel

  @Field(() => String, { description: 'The language of the template, as a BCP 47 tag.' })
  language: string

  @Field(() => Int, {
    name: 'version',
    description:
      'The number of the template among those with the same code, channel and language, starting ' +
      'at 1.',
  })
  edition: number

  @Field(() => TemplateStatusEnum, { description: 'The lifecycle status of the template.' })
  status: TemplateStatus

  @Field(() => CategoryEnum, { description: 'The purpose of the notifications.' })
  category: Category

  @Field(() => String, {
    nullable: true,
    description: 'The subject, as a one-line Liquid template; null for channels without subjects.',
  })
  subject: string | null

  @Field(() => String, {
    description: 'The body, as a Liquid template: HTML for email, plain text for other channels.',
  })
  body: string

  @Field(() => [TemplateVariable], {
    description:
      'The variables that the subject and body use. `subject` and `partyName` are always ' +
      'available and are not listed.',
  })
  variables: readonly Variable[]

  @Field(() => TemplateApproval, { description: 'The review of the template.' })
  approval: TemplateApproval

  @Field(() => String, {
    description:
      'The SHA-256 hash of the content, in hexadecimal. Templates with the same content have ' +
      'the same hash.',
  })
  contentHash: string

  @Field(() => DateTimeScalar, { description: 'When the template was created.' })
  createdAt: Date

  @Field(() => DateTimeScalar, { description: 'When the template was last changed.' })
  updatedAt: Date
}

export const NotificationTemplateConnection = connectionOf(
  'NotificationTemplate',
  () => NotificationTemplate,
)
