import {
  boolean,
  entity,
  enumeration,
  id,
  instant,
  integer,
  list,
  object,
  oneOf,
  shape,
  stored,
  storedFields,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { Category, Channel } from './channel.ts'

export const TemplateStatus = enumeration(
  'NotificationTemplateStatus',
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
export type TemplateStatus = TypeOf<typeof TemplateStatus>

export const VariableType = enumeration(
  'TemplateVariableType',
  'The type of values that a template variable accepts.',
  {
    string: 'Text of at most 1,000 characters. Numbers and booleans are accepted as well.',
    number: 'A JSON number.',
    boolean: '`true` or `false`.',
  },
)
export type VariableType = TypeOf<typeof VariableType>

export const TemplateVariable = shape(
  'TemplateVariable',
  'A value that a template takes from the personalization of each notification.',
  {
    name: string('The name of the variable.'),
    type: oneOf(VariableType, 'The type of values that the variable accepts.'),
    required: boolean('Whether each notification must include a value.'),
    pii: boolean('Whether the value is personal data.'),
  },
)

export type TemplateVariable = TypeOf<typeof TemplateVariable>

export const TemplateApproval = shape(
  'TemplateApproval',
  'Who may review the template. The author cannot be the reviewer.',
  {
    approvers: list(
      string(),
      'The users or clients who may review the template, as access token subjects; empty if ' +
        'anyone with the required scope may review it.',
    ),
    authoredBy: string('The user or client who last wrote the content.'),
    submittedAt: instant(
      'When the template was submitted for review; null while it is a draft.',
    ).orNull(),
    approvedBy: string(
      'The user or client who approved the template; null if it was not approved.',
    ).orNull(),
    approvedAt: instant('When the template was approved; null if it was not approved.').orNull(),
    rejectionReason: string(
      'Why a reviewer last rejected the template; null if it was never rejected.',
    ).orNull(),
  },
)
export type TemplateApproval = TypeOf<typeof TemplateApproval>

/** The wording for one code, channel and language, with its review. */
export const Template = entity(
  'NotificationTemplate',
  'templateId',
  'The wording of a notification for one code, channel and language.',
  {
    templateId: id('The ID of the template, such as `tpl_…`.').inEvents(),
    templateCode: string('The code by which notifications refer to the template.').inEvents(),
    channel: oneOf(Channel, 'The channel the template is for.').inEvents(),
    language: string('The language of the template, as a BCP 47 tag.').inEvents(),
    edition: integer(
      'The number of the template among those with the same code, channel and language, starting ' +
        'at 1.',
    )
      .named('version')
      .inEvents(),
    status: oneOf(TemplateStatus, 'The lifecycle status of the template.').inEvents(),
    category: oneOf(Category, 'The purpose of the notifications.').inEvents(),
    subject: string(
      'The subject, as a one-line Liquid template; null for channels without subjects.',
    ).orNull(),
    body: string('The body, as a Liquid template: HTML for email, plain text for other channels.'),
    variables: list(
      object(TemplateVariable),
      'The variables that the subject and body use. `subject` and `partyName` are always ' +
        'available and are not listed.',
    ),
    contentHash: string(
      'The SHA-256 hash of the content, in hexadecimal. Templates with the same content have ' +
        'the same hash.',
    ),
    createdAt: instant('When the template was created.'),
    updatedAt: instant('When the template was last changed.'),
    ...storedFields(TemplateApproval),
    /** The hash of the request that created the template. */
    requestHash: stored<string>(),
    version: stored<number>(),
  },
)
export type Template = TypeOf<typeof Template>

/**
 * The status changes of a template. The content of an approved template cannot change: new wording
 * needs a new template with the same code.
 */
export const templateStates = stateMachine(Template, 'status', {
  submitNotificationTemplate: {
    description: 'Submits a draft template for review.',
    scope: 'templates:write',
    from: ['draft'],
    to: 'in-review',
    event: ['notifications.template.submitted', 'A template was submitted for review.'],
    set: ({ now }) => ({ submittedAt: now }),
  },
  approveNotificationTemplate: {
    description: 'Approves a template in review. The author cannot approve it.',
    scope: 'templates:approve',
    needsPerson: true,
    from: ['in-review'],
    to: 'approved',
    event: ['notifications.template.approved', 'A reviewer approved a template.'],
    set: ({ now, subject }) => ({ approvedBy: subject, approvedAt: now }),
  },
  rejectNotificationTemplate: {
    description: 'Rejects a template in review. The author cannot reject it.',
    scope: 'templates:approve',
    needsPerson: true,
    from: ['in-review'],
    to: 'rejected',
    event: ['notifications.template.rejected', 'A reviewer rejected a template.'],
    args: { rejectionReason: text('Why the template is rejected.').named('reason') },
  },
  reopenNotificationTemplate: {
    description: 'Reopens a rejected template as a draft.',
    scope: 'templates:write',
    from: ['rejected'],
    to: 'draft',
    event: ['notifications.template.reopened', 'A rejected template was reopened as a draft.'],
    set: () => ({ submittedAt: null }),
  },
  activateNotificationTemplate: {
    description:
      'Activates an approved template and retires the active template with the same code, ' +
      'channel and language.',
    scope: 'templates:approve',
    from: ['approved'],
    to: 'active',
    event: ['notifications.template.activated', 'A template was activated.'],
  },
  retireNotificationTemplate: {
    description: 'Retires an active template.',
    scope: 'templates:approve',
    from: ['active'],
    to: 'retired',
    event: ['notifications.template.retired', 'A template was retired.'],
  },
})
