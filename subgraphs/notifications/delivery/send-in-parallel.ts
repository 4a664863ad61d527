import type { Message, Outcome } from '../domain/transport.ts'

/** Well before a lease is over, so that no other worker sends what is still being sent here. */
const batchMaxMs = 15_000

/** Sends a few messages at a time. Those that have not begun after 15 s have no outcome and are due again. */
export async function sendInParallel(
  messages: readonly Message[],
  connections: number,
  sendOne: (message: Message) => Promise<Outcome>,
): Promise<Outcome[]> {
  const until = performance.now() + batchMaxMs
  const waiting = [...messages]
  const outcomes: Outcome[] = []
  const work = async () => {
    for (let message; (message = waiting.shift()) && performance.now() < until;) {
      outcomes.push(await sendOne(message))
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  return outcomes
}
