import type { Message, Outcome } from '../domain/transport.ts'

/**
 * The period in which the messages of a batch may be started. It is well below the worker's lease,
 * so that no other worker sends a message that is still being sent here.
 */
const batchMaxMs = 15_000

/**
 * Sends messages over up to `connections` connections at a time. Messages that are not started
 * within 15 s have no outcome; they stay due.
 */
export async function sendInParallel(
  messages: readonly Message[],
  connections: number,
  sendOne: (message: Message) => Promise<Outcome>,
): Promise<Outcome[]> {
  const deadline = performance.now() + batchMaxMs
  const remainingMessages = [...messages]
  const outcomes: Outcome[] = []
  const runConnection = async () => {
    for (let message; (message = remainingMessages.shift()) && performance.now() < deadline;) {
      outcomes.push(await sendOne(message))
    }
  }
  await Promise.all(Array.from({ length: connections }, runConnection))
  return outcomes
}
