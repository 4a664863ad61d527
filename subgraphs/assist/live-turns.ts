import { EventEmitter, once } from 'node:events'
import type { Bank } from '../_kernel/bank.ts'
import { keyOwner } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { Frame, Tell } from './domain/frame.ts'

/** How long the steps of a turn are available after it ends. */
const keptMs = 10_000

interface LiveTurn {
  frames: Frame[]
  isOver: boolean
}

interface Live {
  turns: Map<string, LiveTurn>
  news: EventEmitter
}

// In memory of the process that runs the turn: steps are not needed once the message is stored.
const perBank = new WeakMap<Bank, Live>()

/** Publishes the steps of a turn. Call `end` when the message is stored or the turn failed. */
export function beginLive(context: Context, sessionId: string, streamId: string) {
  const { turns, news } = liveOf(context.bank)
  const key = keyOf(context, sessionId, streamId)
  const turn: LiveTurn = { frames: [], isOver: false }
  turns.set(key, turn)
  const tell: Tell = (kind, more = {}) => {
    const sequence = turn.frames.length + 1
    turn.frames.push({ text: null, toolCall: null, guardrail: null, ...more, sequence, kind })
    news.emit(key)
  }
  const end = () => {
    turn.isOver = true
    news.emit(key)
    const forget = () => turns.get(key) === turn && turns.delete(key)
    setTimeout(forget, keptMs).unref()
  }
  tell('begun')
  return { tell, end }
}

/**
 * The steps of a turn after the given one, as soon as there are any. Waits at most `waitMs`, also
 * for the turn to begin. Turns of other callers are treated as turns that never begin.
 */
export async function followLive(
  context: Context,
  asked: { sessionId: string; streamId: string; after: number; waitMs: number },
): Promise<LiveTurn> {
  const { turns, news } = liveOf(context.bank)
  const { after, waitMs } = asked
  const key = keyOf(context, asked.sessionId, asked.streamId)
  const isNews = () => {
    const turn = turns.get(key)
    return turn !== undefined && (turn.isOver || turn.frames.length > after)
  }
  if (!isNews() && waitMs > 0) {
    await once(news, key, { signal: AbortSignal.timeout(waitMs) }).catch(() => undefined)
  }
  const { frames, isOver } = turns.get(key) ?? { frames: [], isOver: false }
  return { frames: frames.slice(after), isOver }
}

function liveOf(bank: Bank): Live {
  let live = perBank.get(bank)
  if (!live) {
    live = { turns: new Map(), news: new EventEmitter().setMaxListeners(0) }
    perBank.set(bank, live)
  }
  return live
}

function keyOf(context: Context, sessionId: string, streamId: string): string {
  return JSON.stringify([keyOwner(context), sessionId, streamId])
}
