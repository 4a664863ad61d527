import { EventEmitter, once } from 'node:events'
import type { Bank } from '../_kernel/bank.ts'
import { keyOwner } from '../_kernel/command.ts'
import type { Context } from '../_kernel/context.ts'
import type { Frame, Tell } from './domain/frame.ts'

/** How long the steps of a turn that is over can still be read. */
const keptMs = 10_000

interface LiveTurn {
  frames: Frame[]
  isOver: boolean
}

interface Live {
  turns: Map<string, LiveTurn>
  news: EventEmitter
}

// In memory, in the process in which the turn runs: a step is worth nothing once the message is there.
const perBank = new WeakMap<Bank, Live>()

/** Opens a turn to followers; `end` it when its message is written or will never be. */
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
 * The steps of a turn after one of them, as soon as there are some: it waits `waitMs` at most, also
 * for the turn to begin. A turn of somebody else is one that never begins.
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
