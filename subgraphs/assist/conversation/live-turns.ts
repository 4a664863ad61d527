import { EventEmitter, once } from 'node:events'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { keyOwner } from '../../../kernel/writing/attempts.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import type { Frame, EmitFrame } from '../domain/frame.ts'

/** How long the steps of a turn can be read after the turn has ended. */
const retentionMs = 10_000

interface LiveTurn {
  frames: Frame[]
  isOver: boolean
}

interface LiveTurns {
  turns: Map<string, LiveTurn>
  news: EventEmitter
}

// Steps are kept only in the memory of the process that runs the turn, because they are not
// needed after the message is stored.
const liveTurnsByLog = new WeakMap<Bank['events'], LiveTurns>()

/**
 * Starts publishing the steps of a turn. Returns the functions `emit`, which publishes a step, and
 * `end`, which must be called when the message is stored or the turn has failed.
 */
export function beginLive(context: Context, sessionId: string, streamId: string) {
  const { turns, news } = liveTurnsOf(context.bank)
  const key = keyOf(context, sessionId, streamId)
  const turn: LiveTurn = { frames: [], isOver: false }
  turns.set(key, turn)
  const emitFrame: EmitFrame = (kind, fields = {}) => {
    const sequence = turn.frames.length + 1
    turn.frames.push({ text: null, toolCall: null, guardrail: null, ...fields, sequence, kind })
    news.emit(key)
  }
  const end = () => {
    turn.isOver = true
    news.emit(key)
    const remove = () => turns.get(key) === turn && turns.delete(key)
    setTimeout(remove, retentionMs).unref()
  }
  emitFrame('begun')
  return { emit: emitFrame, end }
}

/**
 * Returns the steps of a turn after step `after`. If there are none yet, waits up to `waitMs` for
 * the next step or for the turn to begin. Turns of other callers are never found.
 */
export async function followLive(
  context: Context,
  request: { sessionId: string; streamId: string; after: number; waitMs: number },
): Promise<LiveTurn> {
  const { turns, news } = liveTurnsOf(context.bank)
  const { after, waitMs } = request
  const key = keyOf(context, request.sessionId, request.streamId)
  const hasNews = () => {
    const turn = turns.get(key)
    return turn !== undefined && (turn.isOver || turn.frames.length > after)
  }
  if (!hasNews() && waitMs > 0) {
    await once(news, key, { signal: AbortSignal.timeout(waitMs) }).catch(() => undefined)
  }
  const { frames, isOver } = turns.get(key) ?? { frames: [], isOver: false }
  return { frames: frames.slice(after), isOver }
}

function liveTurnsOf({ events }: Bank): LiveTurns {
  let liveTurns = liveTurnsByLog.get(events)
  if (!liveTurns) {
    liveTurns = { turns: new Map(), news: new EventEmitter().setMaxListeners(0) }
    liveTurnsByLog.set(events, liveTurns)
  }
  return liveTurns
}

function keyOf(context: Context, sessionId: string, streamId: string): string {
  return JSON.stringify([keyOwner(context), sessionId, streamId])
}
