import { Arg, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { LabelScalar, TextScalar } from '../../../kernel/graph/scalars.ts'
import * as domain from '../domain/template.ts'
import type { Template, TemplateStatus } from '../domain/template.ts'
import { listTemplates, loadTemplate } from '../store/template.ts'
import {
  changeTemplate,
  requireOtherAuthor,
  createTemplate,
  rewriteTemplate,
} from '../commands/template.ts'
import {
  NotificationTemplate,
  NotificationTemplateConnection,
  TemplateApproval,
  TemplateStatusEnum,
} from './template.types.ts'
import {
  CreateNotificationTemplateInput,
  UpdateNotificationTemplateInput,
} from './template.inputs.ts'

@Resolver(() => NotificationTemplate)
export class TemplateResolver {
  @Requires('notifications:read')
  @Query(() => NotificationTemplate, { description: 'Returns a notification template.' })
  async notificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ) {
    const template = await loadTemplate(context, templateId)
    if (template) return template
    throw new Problem('TEMPLATE_NOT_FOUND', { resourceId: templateId })
  }

  @Requires('notifications:read')
  @Query(() => NotificationTemplateConnection, {
    description: 'Returns notification templates in the order in which they were created.',
  })
  notificationTemplates(
    @Arg('templateCode', () => LabelScalar, {
      nullable: true,
      description: 'Returns only templates with this code.',
    })
    templateCode: string | null,
    @Arg('status', () => TemplateStatusEnum, {
      nullable: true,
      description: 'Returns only templates with this status.',
    })
    status: TemplateStatus | null,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<Template>> {
    requireBank(context)
    const filters = { templateCode: templateCode ?? null, status: status ?? null }
    return readPage(
      context,
      'notificationTemplates',
      filters,
      { first, after },
      (from, take) => listTemplates(context, filters, from, take),
      ({ createdAt, templateId }) => [createdAt.toISOString(), templateId],
    )
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Creates a notification template.' })
  createNotificationTemplate(
    @Arg('input', () => CreateNotificationTemplateInput, { description: 'The template to create.' })
    input: CreateNotificationTemplateInput,
    @Ctx() context: Context,
  ): Promise<Template> {
    return createTemplate(context, input)
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, {
    description: 'Replaces the content of a draft template.',
  })
  updateNotificationTemplate(
    @Arg('input', () => UpdateNotificationTemplateInput, {
      description: 'The new content of the template.',
    })
    input: UpdateNotificationTemplateInput,
    @Ctx() context: Context,
  ): Promise<Template> {
    return rewriteTemplate(context, input)
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Submits a draft template for review.' })
  submitNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.submitted'
    return changeTemplate(
      context,
      'submitNotificationTemplate',
      { templateId },
      event,
      domain.submit,
    )
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, {
    description: 'Approves a template in review. The author cannot approve it.',
  })
  approveNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.approved'
    const operation = 'approveNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, async (before, now, by) => {
      const approved = domain.approve(before, by, now)
      await requireOtherAuthor(context, before)
      return approved
    })
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, {
    description: 'Rejects a template in review. The author cannot reject it.',
  })
  rejectNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Arg('reason', () => TextScalar, { description: 'Why the template is rejected.' })
    reason: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const input = { templateId, reason }
    const event = 'notifications.template.rejected'
    const operation = 'rejectNotificationTemplate'
    return changeTemplate(context, operation, input, event, async (before, _now, by) => {
      const rejected = domain.reject(before, by, reason)
      await requireOtherAuthor(context, before)
      return rejected
    })
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Reopens a rejected template as a draft.' })
  reopenNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.reopened'
    const operation = 'reopenNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.reopen)
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, {
    description:
      'Activates an approved template and retires the active template with the same code, ' +
      'channel and language.',
  })
  activateNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.activated'
    const operation = 'activateNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.activate)
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, { description: 'Retires an active template.' })
  retireNotificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.retired'
    const operation = 'retireNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.retire)
  }

  @FieldResolver(() => TemplateApproval, { description: 'The review of the template.' })
  approval(@Root() template: Template): TemplateApproval {
    return template
  }
}
