import type { ServerResponse } from 'node:http'

/** Keeps a stream's connection in use, and cuts off a client that takes nothing between two beats. */
export function keepBeating(raw: ServerResponse, beatMs: number): () => void {
  let isWaiting = false
  const beating = setInterval(() => {
    if (raw.writableLength === 0) {
      isWaiting = false
      raw.write(':\n\n')
    } else if (isWaiting) raw.destroy()
    else isWaiting = true
  }, beatMs)
  return () => clearInterval(beating)
}

/** Writes, and waits until the client has taken it. */
export function written(raw: ServerResponse, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    raw.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
