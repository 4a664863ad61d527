import { Directive, Field, ID, InputType, Int, ObjectType } from 'type-graphql'
import { connectionOf } from '../../_kernel/graph/connection.ts'
import { wireEnum } from '../../_kernel/graph/enums.ts'
import { DateTimeScalar, LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import { channels, type Channel } from '../domain/channel.ts'
import {
  variableTypes,
  type NewVariable,
  type Variable,
  type VariableType,
} from '../domain/personalization.ts'
import { categories, type Category } from '../domain/suppression.ts'
import {
  templateStatuses,
  type NewContent,
  type NewTemplate,
  type TemplateStatus,
} from '../domain/template.ts'

export const NotificationChannelEnum = wireEnum(
  'NotificationChannel',
  channels,
  'How a message travels.',
)
export const TemplateStatusEnum = wireEnum(
  'NotificationTemplateStatus',
  templateStatuses,
  'Where a template stands on its way into force.',
)
const CategoryEnum = wireEnum(
  'NotificationCategory',
  categories,
  'Why the bank writes: its service, to sell, or because the law says so.',
)
const VariableTypeEnum = wireEnum(
  'TemplateVariableType',
  variableTypes,
  'What a value has to be; a string takes numbers and booleans too.',
)

@ObjectType({ description: 'A value that a template takes from the personalization.' })
export class TemplateVariable implements Variable {
  @Field(() => String)
  name: string

  @Field(() => VariableTypeEnum)
  type: VariableType

  @Field(() => Boolean)
  required: boolean

  @Field(() => Boolean, { description: 'It holds personal data.' })
  pii: boolean
}

@ObjectType({ description: 'Who answers for a template. Author and approver are two people.' })
export class TemplateApproval {
  @Field(() => [String], { description: 'Who may approve it; anyone with the right when empty.' })
  approvers: readonly string[]

  @Field(() => String)
  authoredBy: string

  @Field(() => DateTimeScalar, { nullable: true })
  submittedAt: Date | null

  @Field(() => String, { nullable: true })
  approvedBy: string | null

  @Field(() => DateTimeScalar, { nullable: true })
  approvedAt: Date | null

  @Field(() => String, { nullable: true })
  rejectionReason: string | null
}

@ObjectType({ description: 'The wording for one code, channel and language.' })
@Directive('@key(fields: "templateId")')
export class NotificationTemplate {
  @Field(() => ID)
  templateId: string

  @Field(() => String)
  templateCode: string

  @Field(() => NotificationChannelEnum)
  channel: Channel

  @Field(() => String, { description: 'BCP-47.' })
  language: string

  @Field(() => Int, {
    name: 'version',
    description: 'Counts the templates of one code, channel and language from 1.',
  })
  edition: number

  @Field(() => TemplateStatusEnum)
  status: TemplateStatus

  @Field(() => CategoryEnum)
  category: Category

  @Field(() => String, { nullable: true, description: 'Liquid, one line.' })
  subject: string | null

  @Field(() => String, { description: 'Liquid. HTML for e-mail, plain text for everything else.' })
  body: string

  @Field(() => [TemplateVariable])
  variables: readonly Variable[]

  @Field(() => TemplateApproval)
  approval: TemplateApproval

  @Field(() => String, { description: 'SHA-256 of what it says: the same text, the same hash.' })
  contentHash: string

  @Field(() => DateTimeScalar)
  createdAt: Date

  @Field(() => DateTimeScalar)
  updatedAt: Date
}

export const NotificationTemplateConnection = connectionOf(
  'NotificationTemplate',
  () => NotificationTemplate,
)

@InputType()
export class TemplateVariableInput implements NewVariable {
  @Field(() => LabelScalar)
  name: string

  @Field(() => VariableTypeEnum, { nullable: true, description: '`STRING` when absent.' })
  type?: VariableType | null

  @Field(() => Boolean, { nullable: true, description: '`true` when absent.' })
  required?: boolean | null

  @Field(() => Boolean, { nullable: true, description: '`false` when absent.' })
  pii?: boolean | null
}

@InputType()
export class TemplateApprovalInput {
  @Field(() => [LabelScalar], { nullable: true, description: 'Subjects of access tokens.' })
  approvers?: string[] | null
}

@InputType()
export class CreateNotificationTemplateInput implements NewTemplate {
  @Field(() => ID, { nullable: true, description: 'Ours when absent.' })
  templateId?: string | null

  @Field(() => NotificationChannelEnum)
  channel: Channel

  @Field(() => LabelScalar, {
    nullable: true,
    description: '`draft` when absent. `approved` and `active` need the scope templates:approve.',
  })
  status?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'What notifications name; the template id when absent.',
  })
  templateCode?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'BCP-47; `en` when absent.' })
  language?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'Liquid, for e-mail and secure messages.',
  })
  subject?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'Liquid. When absent the template passes on what each notification says.',
  })
  body?: string | null

  @Field(() => [TemplateVariableInput], { nullable: true })
  variables?: TemplateVariableInput[] | null

  @Field(() => CategoryEnum, { nullable: true, description: '`service` when absent.' })
  category?: Category | null

  @Field(() => TemplateApprovalInput, { nullable: true })
  approval?: TemplateApprovalInput | null
}

@InputType({ description: 'The whole new content of a draft; what is absent gets its default.' })
export class UpdateNotificationTemplateInput implements NewContent {
  @Field(() => ID)
  templateId: string

  @Field(() => TextScalar, { nullable: true })
  subject?: string | null

  @Field(() => TextScalar, { nullable: true })
  body?: string | null

  @Field(() => [TemplateVariableInput], { nullable: true })
  variables?: TemplateVariableInput[] | null
}
