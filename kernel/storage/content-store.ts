/** Storage for bytes by key. Existing content is never replaced. */
export interface ContentStore {
  /** Stores bytes. Returns false, and changes nothing, if the key exists. */
  put(key: string, bytes: Buffer): Promise<boolean>
  /** Returns the bytes of a key; null if the key does not exist. */
  get(key: string): Promise<Buffer | null>
  /** Deletes a key and its bytes. Does nothing if the key does not exist. */
  delete(key: string): Promise<void>
}
