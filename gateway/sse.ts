import type { ServerResponse } from 'node:http'

/**
 * Sends heartbeats, and disconnects a client that reads nothing between two heartbeats. Returns the
 * function that stops the heartbeats.
 */
export function sendHeartbeats(raw: ServerResponse, beatMs: number): () => void {
  let hasUnread = false
  const timer = setInterval(() => {
    if (raw.writableLength === 0) {
      hasUnread = false
      raw.write(':\n\n')
    } else if (hasUnread) raw.destroy()
    else hasUnread = true
  }, beatMs)
  return () => clearInterval(timer)
}

/** Writes text, and resolves when it has been flushed. */
export function writeAndFlush(raw: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
