import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires, requireVisible } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import { AfterArg, FirstArg, readPage, type Page } from '../../_kernel/graph/connection.ts'
import { ownersOf, type Session } from '../domain/session.ts'
import { toolOf } from '../domain/tool.ts'
import { followLive } from '../live-turns.ts'
import { firstBadLine } from '../transcript.ts'
import { providerOf } from '../provider/model.ts'
import { sendMessage } from '../send-message.ts'
import { closeSession, createSession } from '../sessions.ts'
import { profileOf } from '../registry.ts'
import { listMessages } from '../store/message.ts'
import { loadSession, sessionKind } from '../store/session.ts'
import { listToolCalls } from '../store/tool-call.ts'
import { listLines } from '../store/transcript.ts'
import { messageOut, toolCallOut } from './out.ts'
import {
  AssistLimits,
  AssistMessage,
  AssistMessageConnection,
  AssistModel,
  AssistSession,
  AssistTool,
  AssistUsage,
} from './assist.types.ts'
import { TranscriptLine, TranscriptVerification } from './transcript.types.ts'
import { CreateAssistSessionInput, SendAssistMessageInput } from './assist.inputs.ts'
import { AssistToolCall } from './tool-call.types.ts'
import { AssistTurn } from './turn.types.ts'

const mostContent = 16_000
const mostLines = 200
const mostWaitMs = 5000

@Resolver(() => AssistSession)
export class AssistSessionResolver {
  @Requires('assist:use')
  @Query(() => AssistSession, { description: 'Returns an assist session.' })
  async assistSession(
    @Arg('sessionId', () => ID, { description: 'The ID of the session.' }) sessionId: string,
    @Ctx() context: Context,
  ) {
    const found = await loadSession(context, sessionId)
    return requireVisible(context, found, ownersOf, 'SESSION_NOT_FOUND', sessionId)
  }

  @Requires('assist:use')
  @Query(() => TranscriptVerification, {
    description: 'Verifies the hash chain of the transcript of a session from its first line.',
  })
  async verifyAssistTranscript(
    @Arg('sessionId', () => ID, { description: 'The ID of the session.' }) sessionId: string,
    @Ctx() context: Context,
  ): Promise<TranscriptVerification> {
    const found = await sessionKind.find(context, sessionId)
    const session = requireVisible(context, found, ownersOf, 'SESSION_NOT_FOUND', sessionId)
    const lines = await listLines(context, sessionId)
    const bad = firstBadLine(lines, session)
    return { isWhole: bad === null, lines: lines.length, firstBadLine: bad }
  }

  @Requires('assist:use')
  @Query(() => AssistTurn, {
    description:
      'Returns the steps of a turn that the caller started with a `streamId`, as soon as there ' +
      'are new ones. The steps are available until ten seconds after the turn ends.',
  })
  assistTurn(
    @Arg('sessionId', () => ID, { description: 'The ID of the session.' }) sessionId: string,
    @Arg('streamId', () => LabelScalar, {
      description: 'The `streamId` the turn was started with.',
    })
    streamId: string,
    @Arg('after', () => Int, {
      defaultValue: 0,
      description: 'The number of the last step already received; 0 for none.',
    })
    after: number,
    @Arg('waitMs', () => Int, {
      defaultValue: 0,
      description: 'How long to wait for new steps, in milliseconds, from 0 to 5000.',
    })
    waitMs: number,
    @Ctx() context: Context,
  ): Promise<AssistTurn> {
    const wait = Math.min(Math.max(waitMs, 0), mostWaitMs)
    return followLive(context, { sessionId, streamId, after: Math.max(after, 0), waitMs: wait })
  }

  @Requires('assist:use')
  @Mutation(() => AssistSession, { description: 'Opens a session with an assistant.' })
  createAssistSession(
    @Arg('input', () => CreateAssistSessionInput, { description: 'The session to open.' })
    input: CreateAssistSessionInput,
    @Ctx() context: Context,
  ): Promise<Session> {
    return createSession(context, input)
  }

  @Requires('assist:use')
  @Mutation(() => AssistSession, { description: 'Closes an active session.' })
  closeAssistSession(
    @Arg('sessionId', () => ID, { description: 'The ID of the session.' }) sessionId: string,
    @Ctx() context: Context,
  ): Promise<Session> {
    return closeSession(context, sessionId)
  }

  @Requires('assist:use')
  @Mutation(() => AssistMessage, {
    description:
      'Sends a message to an assistant and returns its answer. If a guardrail stops the turn, ' +
      'the answer has the status `BLOCKED` and safe content.',
  })
  async sendAssistMessage(
    @Arg('input', () => SendAssistMessageInput, { description: 'The message to send.' })
    input: SendAssistMessageInput,
    @Ctx() context: Context,
  ): Promise<AssistMessage> {
    const { sessionId, role, clientMessageId, streamId } = input
    if (role && role.toLowerCase() !== 'user') {
      const detail = `The role "${role}" is not allowed; send "user" or omit it.`
      throw refusal('ROLE_NOT_ALLOWED', '/role', detail)
    }
    const content = contentOf(input)
    return messageOut(await sendMessage(context, { sessionId, content, clientMessageId }, streamId))
  }

  @FieldResolver(() => AssistModel, { description: 'The model that answers in the session.' })
  model(@Root() session: Session, @Ctx() { bank }: Context): AssistModel {
    const { name: provider, model: name } = providerOf(bank)
    return { alias: session.modelAlias, provider, name }
  }

  @FieldResolver(() => [AssistTool], { description: 'The tools the assistant can use.' })
  async tools(@Root() session: Session, @Ctx() context: Context): Promise<AssistTool[]> {
    const { tools } = await profileOf(context, session)
    return tools.map((name) => {
      const { toolClass, description } = toolOf(name)
      return { name, toolClass, description }
    })
  }

  @FieldResolver(() => AssistLimits, { description: 'The limits of the session.' })
  async limits(@Root() session: Session, @Ctx() context: Context): Promise<AssistLimits> {
    const { messages, tokens, costMicros } = (await profileOf(context, session)).limits
    return { maxMessages: messages, maxTokens: tokens, maxCostMicros: costMicros }
  }

  @FieldResolver(() => AssistUsage, { description: 'The resources used by the session so far.' })
  usage(@Root() { inputTokens, outputTokens, costMicros }: Session): AssistUsage {
    return { inputTokens, outputTokens, costMicros }
  }

  @FieldResolver(() => String, {
    description: 'The notice to show to the user of an automated assistant.',
  })
  disclosure(): string {
    return 'You are talking to an automated assistant. Answers may be incomplete; people decide.'
  }

  @Requires('assist:use')
  @FieldResolver(() => AssistMessageConnection, {
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
  @FieldResolver(() => [AssistToolCall], {
    description: 'The tool calls of the session, oldest first.',
  })
  async toolCalls(@Root() { sessionId }: Session, @Ctx() context: Context) {
    return (await listToolCalls(context, sessionId)).map(toolCallOut)
  }

  @Requires('assist:use')
  @FieldResolver(() => [TranscriptLine], {
    description: 'The transcript lines after the given one, at most 200.',
  })
  async transcript(
    @Root() { sessionId }: Session,
    @Arg('after', () => Int, {
      defaultValue: 0,
      description: 'The number of the line to continue after; 0 to start at the first line.',
    })
    after: number,
    @Ctx() context: Context,
  ): Promise<TranscriptLine[]> {
    const lines = await listLines(context, sessionId, after, mostLines)
    return lines.map((line) => ({ ...line, body: JSON.parse(line.body) as object }))
  }
}

/**
 * The text of the message, under any of its aliases. Throws VALIDATION_FAILED if several are sent.
 */
function contentOf(input: SendAssistMessageInput): string {
  const given = (['content', 'message', 'text'] as const).filter((name) => input[name] != null)
  const [name = 'content', ...more] = given
  if (more.length > 0) {
    const detail = `${given.join(', ')} are aliases of the same field; send only one.`
    const errors = [{ pointer: `/${more[0]}`, code: 'ONE_OF', detail }]
    throw new Problem('VALIDATION_FAILED', { detail, errors })
  }
  const content = input[name] ?? ''
  if (content.trim() === '') {
    throw refusal('CONTENT_REQUIRED', `/${name}`, 'The message is empty; send some text.')
  }
  if (content.length > mostContent) {
    const detail = `The message has ${content.length} characters; the maximum is ${mostContent}.`
    throw refusal('CONTENT_TOO_LONG', `/${name}`, detail)
  }
  return content
}

type Refused = 'ROLE_NOT_ALLOWED' | 'CONTENT_REQUIRED' | 'CONTENT_TOO_LONG'

function refusal(code: Refused, pointer: string, detail: string): Problem {
  return new Problem(code, { detail, errors: [{ pointer, code, detail }] })
}
