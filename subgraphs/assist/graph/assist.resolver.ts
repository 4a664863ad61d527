import {
  Usage,
  AssistLimits,
  AssistMessage,
  AssistModel,
  AssistTool,
  Session,
  sessionStates,
} from '../model/assist.ts'
import { Arg, Ctx, FieldResolver, Int, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { Requires, requireVisible } from '../../../kernel/authorization/auth.ts'
import { connectionOf, id, integer, label, object, oneOf } from '../../../kernel/domain/model.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { characterCount, hasAtMost } from '../../../kernel/domain/text-length.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../../kernel/graph/connection.ts'
import { listing, lookup, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { ownersOf } from '../domain/session.ts'
import { followLive } from '../conversation/live-turns.ts'
import { firstBadLine } from '../conversation/transcript.ts'
import { providerOf } from '../provider/model.ts'
import { sendMessage } from '../commands/send-message.ts'
import { closeSession, createSession } from '../commands/session.ts'
import { profileOf } from '../commands/assistant-version.ts'
import { listMessages } from '../store/message.ts'
import { listOwnSessions, loadSession, sessionKind } from '../store/session.ts'
import { listToolCalls } from '../store/tool-call.ts'
import { listLines } from '../store/transcript.ts'
import { messageOut, toolOut } from './out.ts'
import { TranscriptLine, TranscriptVerification } from '../model/transcript.ts'
import { CreateAssistSessionInput, SendAssistMessageInput } from '../model/assist-inputs.ts'
import { ToolCall } from '../model/tool-call.ts'
import { SessionStatus } from '../model/enumerations.ts'
import { AssistTurn } from '../model/turn.ts'

const maxContentLength = 16_000
const maxLines = 200
const maxWaitMs = 5000

const verifyAssistTranscript = operation({
  description: 'Verifies the hash chain of the transcript of a session from its first line.',
  scope: 'assist:use',
  returns: TranscriptVerification,
  args: { sessionId: id('The ID of the session.') },
  async resolve(context, { sessionId }): Promise<TranscriptVerification> {
    const found = await sessionKind.find(context, sessionId)
    const session = requireVisible(context, found, ownersOf, 'SESSION_NOT_FOUND', sessionId)
    const lines = await listLines(context, sessionId)
    const badLine = firstBadLine(lines, session)
    return { isComplete: badLine === null, lines: lines.length, firstBadLine: badLine }
  },
})

const assistTurn = operation({
  description:
    'Returns the new steps of a turn that the caller started with a `streamId`, waiting up to ' +
    '`waitMs` for them. The steps are available until ten seconds after the turn ends.',
  scope: 'assist:use',
  returns: AssistTurn,
  args: {
    sessionId: id('The ID of the session.'),
    streamId: label('The `streamId` the turn was started with.'),
    after: integer(
      'The number of the last step already received, or 0 to get all steps.',
    ).defaultsTo(0),
    waitMs: integer('How long to wait for new steps, in milliseconds, from 0 to 5000.').defaultsTo(
      0,
    ),
  },
  resolve(context, { sessionId, streamId, after, waitMs }): Promise<AssistTurn> {
    const wait = Math.min(Math.max(waitMs, 0), maxWaitMs)
    return followLive(context, { sessionId, streamId, after: Math.max(after, 0), waitMs: wait })
  },
})

const sendAssistMessage = operation({
  description:
    'Sends a message to an assistant and returns its answer. If a guardrail stops the turn, ' +
    'the answer has the status `BLOCKED` and safe content.',
  scope: 'assist:use',
  returns: AssistMessage,
  args: { input: object(SendAssistMessageInput, 'The message to send.') },
  async resolve(context, { input }): Promise<AssistMessage> {
    const { sessionId, role, clientMessageId, streamId } = input
    if (role && role.toLowerCase() !== 'user') {
      const detail = `The role "${role}" is not allowed; send "user" or omit it.`
      throw rejection('ROLE_NOT_ALLOWED', '/role', detail)
    }
    const content = contentOf(input)
    return messageOut(await sendMessage(context, { sessionId, content, clientMessageId }, streamId))
  },
})

export const SessionOperations = resolverOf({
  queries: {
    assistSession: lookup(Session, {
      description: 'Returns an assist session.',
      scope: 'assist:use',
      async find(context, sessionId) {
        const found = await loadSession(context, sessionId)
        return requireVisible(context, found, ownersOf, 'SESSION_NOT_FOUND', sessionId)
      },
    }),
    assistSessions: listing(Session, {
      description: 'Returns the sessions that the caller opened, the latest first.',
      scope: 'assist:use',
      filters: {
        status: oneOf(SessionStatus, 'Returns only sessions with this status.').orNull(),
      },
      list: (context, { status }, after, take) => listOwnSessions(context, status, after, take),
      sortKey: ({ createdAt, sessionId }) => [createdAt.toISOString(), sessionId],
    }),
    verifyAssistTranscript,
    assistTurn,
  },
  mutations: {
    createAssistSession: operation({
      description: 'Opens a session with an assistant.',
      scope: 'assist:use',
      returns: Session,
      args: { input: object(CreateAssistSessionInput, 'The session to open.') },
      resolve: (context, { input }) => createSession(context, input),
    }),
    ...transitionsOf(sessionStates, closeSession),
    sendAssistMessage,
  },
})

@Resolver(() => Session)
export class AssistSessionResolver {
  @FieldResolver(() => AssistModel, {
    description: 'The language model that answers in the session.',
  })
  model(@Root() session: Session, @Ctx() { bank }: Context): AssistModel {
    const { name: provider, model: name } = providerOf(bank)
    return { alias: session.modelAlias, provider, name }
  }

  @FieldResolver(() => [AssistTool], { description: 'The tools the assistant can use.' })
  async tools(@Root() session: Session, @Ctx() context: Context): Promise<AssistTool[]> {
    const { tools } = await profileOf(context, session)
    return tools.map(toolOut)
  }

  @FieldResolver(() => AssistLimits, { description: 'The limits of the session.' })
  async limits(@Root() session: Session, @Ctx() context: Context): Promise<AssistLimits> {
    const { messages, tokens, costMicros } = (await profileOf(context, session)).limits
    return { maxMessages: messages, maxTokens: tokens, maxCostMicros: costMicros }
  }

  @FieldResolver(() => Usage, {
    description: 'The model tokens that the session has used so far, and their cost.',
  })
  usage(@Root() { inputTokens, outputTokens, costMicros }: Session): Usage {
    return { inputTokens, outputTokens, costMicros }
  }

  @FieldResolver(() => String, {
    description: 'The notice to show to the user of an automated assistant.',
  })
  disclosure(): string {
    return 'You are talking to an automated assistant. Answers may be incomplete; people decide.'
  }

  @Requires('assist:use')
  @FieldResolver(() => connectionOf(AssistMessage), {
    description: 'The messages of the session, oldest first.',
  })
  async messages(
    @Root() { sessionId }: Session,
    @FirstArg() first: number | null,
    @AfterArg() after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<AssistMessage>> {
    return readPage(
      context,
      'assistMessages',
      { sessionId },
      { first, after },
      async (from, take) => {
        const found = await listMessages(context, sessionId, Number(from?.[0] ?? 0), take)
        return found.map(messageOut)
      },
      ({ transcriptSequence }) => [String(transcriptSequence)],
    )
  }

  @Requires('assist:use')
  @FieldResolver(() => [ToolCall], {
    description: 'The tool calls of the session, oldest first.',
  })
  toolCalls(@Root() { sessionId }: Session, @Ctx() context: Context): Promise<ToolCall[]> {
    return listToolCalls(context, sessionId)
  }

  @Requires('assist:use')
  @FieldResolver(() => [TranscriptLine], {
    description: 'The transcript lines that follow the line `after`, at most 200.',
  })
  async transcript(
    @Root() { sessionId }: Session,
    @Arg('after', () => Int, {
      defaultValue: 0,
      description: 'The number of the last line already received; 0 to start at the first line.',
    })
    after: number,
    @Ctx() context: Context,
  ): Promise<TranscriptLine[]> {
    const lines = await listLines(context, sessionId, after, maxLines)
    return lines.map((line) => ({ ...line, body: JSON.parse(line.body) as object }))
  }
}

/**
 * Returns the text of a message, which the client can send as `content`, `message` or `text`.
 * Throws CONTENT_REQUIRED, CONTENT_TOO_LONG, and VALIDATION_FAILED if more than one is sent.
 */
function contentOf(input: SendAssistMessageInput): string {
  const provided = (['content', 'message', 'text'] as const).filter((name) => input[name] != null)
  const [name = 'content', ...otherNames] = provided
  if (otherNames.length > 0) {
    const detail = `${provided.join(', ')} are aliases of the same field; send only one.`
    const errors = [{ pointer: `/${otherNames[0]}`, code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const content = input[name] ?? ''
  if (content.trim() === '') {
    throw rejection('CONTENT_REQUIRED', `/${name}`, 'The message is empty; send some text.')
  }
  if (!hasAtMost(maxContentLength, content)) {
    const detail = `The message has ${characterCount(content)} characters; the maximum is ${maxContentLength}.`
    throw rejection('CONTENT_TOO_LONG', `/${name}`, detail)
  }
  return content
}

type RejectionCode = 'ROLE_NOT_ALLOWED' | 'CONTENT_REQUIRED' | 'CONTENT_TOO_LONG'

function rejection(code: RejectionCode, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
