import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireBank } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { LabelScalar, TextScalar } from '../../_kernel/scalars.ts'
import * as domain from '../domain/template.ts'
import type { Template, TemplateStatus } from '../domain/template.ts'
import { listTemplates, loadTemplate } from '../store/template.ts'
import {
  changeTemplate,
  requireOthersText,
  createTemplate,
  rewriteTemplate,
} from '../template-commands.ts'
import {
  CreateNotificationTemplateInput,
  NotificationTemplate,
  NotificationTemplateConnection,
  TemplateApproval,
  TemplateStatusEnum,
  UpdateNotificationTemplateInput,
} from './template.types.ts'

@Resolver(() => NotificationTemplate)
export class TemplateResolver {
  @Requires('notifications:read')
  @Query(() => NotificationTemplate, { description: 'One template.' })
  async notificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: Context,
  ) {
    const template = await loadTemplate(context, templateId)
    if (template) return template
    throw new Problem('TEMPLATE_NOT_FOUND', { resourceId: templateId })
  }

  @Requires('notifications:read')
  @Query(() => NotificationTemplateConnection, {
    description: 'Templates in the order they were created.',
  })
  notificationTemplates(
    @Arg('templateCode', () => LabelScalar, { nullable: true }) templateCode: string | null,
    @Arg('status', () => TemplateStatusEnum, { nullable: true }) status: TemplateStatus | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
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
  @Mutation(() => NotificationTemplate, { description: 'Writes a template.' })
  createNotificationTemplate(
    @Arg('input', () => CreateNotificationTemplateInput) input: CreateNotificationTemplateInput,
    @Ctx() context: Context,
  ): Promise<Template> {
    return createTemplate(context, input)
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Gives a draft another content.' })
  updateNotificationTemplate(
    @Arg('input', () => UpdateNotificationTemplateInput) input: UpdateNotificationTemplateInput,
    @Ctx() context: Context,
  ): Promise<Template> {
    return rewriteTemplate(context, input)
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Puts a draft up for review.' })
  submitNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
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
  @Mutation(() => NotificationTemplate, { description: 'Approves what somebody else wrote.' })
  approveNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.approved'
    const operation = 'approveNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, async (before, now, by) => {
      const approved = domain.approve(before, by, now)
      await requireOthersText(context, before)
      return approved
    })
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, { description: 'Sends back what somebody else wrote.' })
  rejectNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Arg('reason', () => TextScalar) reason: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const input = { templateId, reason }
    const event = 'notifications.template.rejected'
    const operation = 'rejectNotificationTemplate'
    return changeTemplate(context, operation, input, event, async (before, _now, by) => {
      const rejected = domain.reject(before, by, reason)
      await requireOthersText(context, before)
      return rejected
    })
  }

  @Requires('templates:write')
  @Mutation(() => NotificationTemplate, { description: 'Takes up a rejected text again.' })
  reopenNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.reopened'
    const operation = 'reopenNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.reopen)
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, {
    description: 'Puts an approved text in force; the one that was is retired with it.',
  })
  activateNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.activated'
    const operation = 'activateNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.activate)
  }

  @Requires('templates:approve')
  @Mutation(() => NotificationTemplate, { description: 'Takes a text out of force.' })
  retireNotificationTemplate(
    @Arg('templateId', () => ID) templateId: string,
    @Ctx() context: Context,
  ): Promise<Template> {
    const event = 'notifications.template.retired'
    const operation = 'retireNotificationTemplate'
    return changeTemplate(context, operation, { templateId }, event, domain.retire)
  }

  @FieldResolver(() => TemplateApproval)
  approval(@Root() template: Template): TemplateApproval {
    return template
  }
}
