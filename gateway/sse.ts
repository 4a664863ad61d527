import type { ServerResponse } from 'node:http'

/**
 * Sends heartbeats, and disconnects a client that still has unread data at two consecutive
 * heartbeats. Returns the function that stops the heartbeats.
 */
export function sendHeartbeats(raw: ServerResponse, heartbeatMs: number): () => void {
  let hasUnreadData = false
  const timer = setInterval(() => {
    if (raw.writableLength === 0) {
      hasUnreadData = false
      raw.write(':\n\n')
    } else if (hasUnreadData) raw.destroy()
    else hasUnreadData = true
  }, heartbeatMs)
  return () => clearInterval(timer)
}

/** Writes text, and resolves when it has been flushed. */
export function writeAndFlush(raw: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
