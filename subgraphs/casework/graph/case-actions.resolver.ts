import { Arg, Ctx, ID, Mutation, Resolver } from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { TextScalar } from '../../../kernel/graph/scalars.ts'
import * as commands from '../commands/case.ts'
import type { Case as Domain } from '../domain/case.ts'
import { Case, OpenCaseInput } from '../model/case.ts'

/** Mutations that change cases. */
@Resolver(() => Case)
export class CaseActionsResolver {
  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Opens a case and starts its clock.' })
  openCase(
    @Arg('input', () => OpenCaseInput, { description: 'The case to open.' }) input: OpenCaseInput,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.openCase(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Starts work on an open case.' })
  startCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'startCase', 'start', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description: 'Marks a case in progress as waiting for the customer, and pauses its clock.',
  })
  waitForCustomer(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('question', () => TextScalar, {
      nullable: true,
      description: 'The question to the customer, who can read it in the timeline.',
    })
    question: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { caseId, text: question ?? null }
    return commands.applyCaseAction(context, 'waitForCustomer', 'waitForCustomer', input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description: 'Resumes a case that waits for the customer and restarts its clock.',
  })
  resumeCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'resumeCase', 'resume', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Resolves a case in progress and pauses its clock.' })
  resolveCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('outcome', () => TextScalar, { description: 'The outcome, which the customer can read.' })
    outcome: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'resolveCase', 'resolve', { caseId, text: outcome })
  }

  @Requires('cases:write')
  @Mutation(() => Case, { description: 'Reopens a resolved case and restarts its clock.' })
  reopenCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'Why the case is reopened.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'reopenCase', 'reopen', {
      caseId,
      text: reason ?? null,
    })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description:
      'Closes a resolved case permanently and starts the retention period of its documents.',
  })
  closeCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'closeCase', 'close', { caseId, text: null })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description:
      'Withdraws a case that is not resolved and starts the retention period of its documents.',
  })
  withdrawCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('reason', () => TextScalar, { nullable: true, description: 'Why the case is withdrawn.' })
    reason: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.applyCaseAction(context, 'withdrawCase', 'withdraw', {
      caseId,
      text: reason ?? null,
    })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description:
      'Assigns a case to an agent, or sends it to a routing profile to find an agent. Exactly ' +
      'one of `agentId` and `routingProfileId` must be sent.',
  })
  assignCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('agentId', () => ID, { nullable: true, description: 'The ID of the agent to assign.' })
    agentId: string | null,
    @Arg('routingProfileId', () => ID, {
      nullable: true,
      description: 'The ID of the routing profile that finds an agent.',
    })
    routingProfileId: string | null,
    @Ctx() context: Context,
  ): Promise<Domain> {
    const input = { caseId, agentId: agentId ?? null, routingProfileId: routingProfileId ?? null }
    return commands.assignCase(context, input)
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description:
      'Adds a note to a case that has not ended. A note by a customer resumes a case that waits ' +
      'for the customer.',
  })
  addCaseNote(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('text', () => TextScalar, { description: 'The text of the note.' }) text: string,
    @Arg('isShared', () => Boolean, {
      defaultValue: false,
      description:
        'Whether the customer can read the note. Always `true` for notes of delegated users.',
    })
    isShared: boolean,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.addNote(context, { caseId, text, isShared })
  }

  @Requires('cases:write')
  @Mutation(() => Case, {
    description:
      'Links a case to another record that the case is about. The case must not have ended.',
  })
  linkCase(
    @Arg('caseId', () => ID, { description: 'The ID of the case.' }) caseId: string,
    @Arg('subject', () => String, {
      description: 'The record, as `<entity>/<id>`, such as `hardship-request/hrd_1`.',
    })
    subject: string,
    @Ctx() context: Context,
  ): Promise<Domain> {
    return commands.linkCase(context, { caseId, subject })
  }
}
