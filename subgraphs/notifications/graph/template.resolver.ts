import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires, requireBank } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { transitionResolver } from '../../../kernel/graph/transitions.ts'
import { connectionOf, text } from '../../../kernel/domain/model.ts'
import type { TemplateEvent } from '../events.ts'
import { Template, TemplateApproval, TemplateStatus } from '../model/template.ts'
import * as domain from '../domain/template.ts'
import { loadTemplate, templates } from '../store/template.ts'
import {
  changeTemplate,
  requireOtherAuthor,
  createTemplate,
  rewriteTemplate,
} from '../commands/template.ts'
import {
  CreateNotificationTemplateInput,
  UpdateNotificationTemplateInput,
} from '../model/template-inputs.ts'

@Resolver(() => Template)
export class TemplateResolver {
  @Requires('notifications:read')
  @Query(() => Template, { description: 'Returns a notification template.' })
  async notificationTemplate(
    @Arg('templateId', () => ID, { description: 'The ID of the template.' }) templateId: string,
    @Ctx() context: Context,
  ) {
    const template = await loadTemplate(context, templateId)
    if (template) return template
    throw new Problem('TEMPLATE_NOT_FOUND', { resourceId: templateId })
  }

  @Requires('notifications:read')
  @Query(() => connectionOf(Template), {
    description: 'Returns notification templates in the order in which they were created.',
  })
  notificationTemplates(
    @Arg('templateCode', () => LabelScalar, {
      nullable: true,
      description: 'Returns only templates with this code.',
    })
    templateCode: string | null,
    @Arg('status', () => TemplateStatus, {
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
      (from, take) => templates.list(context, filters, from, take),
      templates.sortKey,
    )
  }

  @Requires('templates:write')
  @Mutation(() => Template, { description: 'Creates a notification template.' })
  createNotificationTemplate(
    @Arg('input', () => CreateNotificationTemplateInput, { description: 'The template to create.' })
    input: CreateNotificationTemplateInput,
    @Ctx() context: Context,
  ): Promise<Template> {
    return createTemplate(context, input)
  }

  @Requires('templates:write')
  @Mutation(() => Template, {
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

  @FieldResolver(() => TemplateApproval, { description: 'The review of the template.' })
  approval(@Root() template: Template): TemplateApproval {
    return template
  }
}

export const TemplateTransitions = transitionResolver<Template, TemplateEvent>(
  Template,
  changeTemplate,
  {
    submitNotificationTemplate: {
      description: 'Submits a draft template for review.',
      scope: 'templates:write',
      event: 'notifications.template.submitted',
      decide: (before, { now }) => domain.submit(before, now),
    },
    approveNotificationTemplate: {
      description: 'Approves a template in review. The author cannot approve it.',
      scope: 'templates:approve',
      event: 'notifications.template.approved',
      async decide(before, { now, context }) {
        const approved = domain.approve(before, context.caller.subject, now)
        await requireOtherAuthor(context, before)
        return approved
      },
    },
    rejectNotificationTemplate: {
      description: 'Rejects a template in review. The author cannot reject it.',
      scope: 'templates:approve',
      event: 'notifications.template.rejected',
      args: { reason: text('Why the template is rejected.') },
      async decide(before, { context, args }) {
        const rejected = domain.reject(before, context.caller.subject, args['reason'])
        await requireOtherAuthor(context, before)
        return rejected
      },
    },
    reopenNotificationTemplate: {
      description: 'Reopens a rejected template as a draft.',
      scope: 'templates:write',
      event: 'notifications.template.reopened',
      decide: domain.reopen,
    },
    activateNotificationTemplate: {
      description:
        'Activates an approved template and retires the active template with the same code, ' +
        'channel and language.',
      scope: 'templates:approve',
      event: 'notifications.template.activated',
      decide: domain.activate,
    },
    retireNotificationTemplate: {
      description: 'Retires an active template.',
      scope: 'templates:approve',
      event: 'notifications.template.retired',
      decide: domain.retire,
    },
  },
)
