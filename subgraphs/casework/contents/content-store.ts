/** The maximum size of a content, in bytes. */
export const mostContentBytes = 10 * 1024 * 1024

/** Storage for the bytes of documents. Existing content is never replaced. */
export interface ContentStore {
  /** Stores bytes. Returns false, and changes nothing, if the key exists. */
  put(key: string, bytes: Buffer): Promise<boolean>
  /** The bytes of a key; null if it does not exist. */
  get(key: string): Promise<Buffer | null>
  /** Deletes the bytes of a key, if it exists. */
  delete(key: string): Promise<void>
}
