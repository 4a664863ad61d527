/** The head of a record that is created and changed by commands. The hash is that of the request that created it. */
export interface Versioned {
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}
