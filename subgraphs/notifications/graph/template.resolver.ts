import { requireFound } from '../../../kernel/authorization/auth.ts'
import { label, object, oneOf } from '../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf, type Decide } from '../../../kernel/graph/transitions.ts'
import {
  changeTemplate,
  createTemplate,
  requireOtherAuthor,
  rewriteTemplate,
} from '../commands/template.ts'
import { previewTemplate } from '../commands/template-preview.ts'
import { requireReviewer } from '../domain/template.ts'
import {
  CreateNotificationTemplateInput,
  UpdateNotificationTemplateInput,
} from '../model/template-inputs.ts'
import {
  NotificationTemplatePreview,
  PreviewNotificationTemplateInput,
} from '../model/template-preview.ts'
import { Template, TemplateApproval, TemplateStatus, templateStates } from '../model/template.ts'
import { loadTemplate, templates } from '../store/template.ts'

/** The author of a template cannot review it. */
const review: Decide<Template> = async (reviewed, { context, subject, before }) => {
  requireReviewer(before, subject)
  await requireOtherAuthor(context, before)
  return reviewed
}

export const TemplateOperations = resolverOf({
  queries: {
    notificationTemplate: lookup(Template, {
      description: 'Returns a notification template.',
      scope: 'notifications:read',
      find: async (context, templateId) =>
        requireFound(await loadTemplate(context, templateId), 'TEMPLATE_NOT_FOUND', templateId),
    }),
    notificationTemplates: listing(Template, {
      description: 'Returns notification templates in the order in which they were created.',
      scope: 'notifications:read',
      isForBankOnly: true,
      filters: {
        templateCode: label('Returns only templates with this code.').orNull(),
        status: oneOf(TemplateStatus, 'Returns only templates with this status.').orNull(),
      },
      ...templates,
    }),
    previewNotificationTemplate: operation({
      description:
        'Renders the content of a template as the delivery of a notification would, without ' +
        'storing anything.',
      scope: 'notifications:read',
      isForBankOnly: true,
      returns: NotificationTemplatePreview,
      args: {
        input: object(PreviewNotificationTemplateInput, 'The content and the values to render.'),
      },
      resolve: (_context, { input }) => previewTemplate(input),
    }),
  },
  mutations: {
    createNotificationTemplate: operation({
      description: 'Creates a notification template.',
      scope: 'templates:write',
      returns: Template,
      args: { input: object(CreateNotificationTemplateInput, 'The template to create.') },
      resolve: (context, { input }) => createTemplate(context, input),
    }),
    updateNotificationTemplate: operation({
      description: 'Replaces the content of a draft template.',
      scope: 'templates:write',
      returns: Template,
      args: { input: object(UpdateNotificationTemplateInput, 'The new content of the template.') },
      resolve: (context, { input }) => rewriteTemplate(context, input),
    }),
    ...transitionsOf(templateStates, changeTemplate, {
      approveNotificationTemplate: review,
      rejectNotificationTemplate: review,
    }),
  },
})

@Resolver(() => Template)
export class TemplateResolver {
  @FieldResolver(() => TemplateApproval, { description: 'The review of the template.' })
  approval(@Root() template: Template): TemplateApproval {
    return template
  }
}
