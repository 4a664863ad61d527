/** The maximum size of the content of one document version, in bytes. */
export const maxContentBytes = 10 * 1024 * 1024

/** Storage for the bytes of documents. Existing content is never replaced. */
export interface ContentStore {
  /** Stores bytes. Returns false, and changes nothing, if the key exists. */
  put(key: string, bytes: Buffer): Promise<boolean>
  /** Returns the bytes of a key; null if the key does not exist. */
  get(key: string): Promise<Buffer | null>
  /** Deletes a key and its bytes. Does nothing if the key does not exist. */
  delete(key: string): Promise<void>
}
