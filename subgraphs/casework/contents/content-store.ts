/** The largest content that is taken. */
export const mostContentBytes = 10 * 1024 * 1024

/** Where the bytes of documents are. What is under a key is never replaced. */
export interface ContentStore {
  /** Stores bytes; false, with nothing changed, when the key has some already. */
  put(key: string, bytes: Buffer): Promise<boolean>
  /** The bytes of a key, or null. */
  get(key: string): Promise<Buffer | null>
  /** Deletes the bytes of a key, if it has some. */
  delete(key: string): Promise<void>
}
