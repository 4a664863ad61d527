/**
 * The properties that all versioned records share. `contentHash` is the hash of the request that
 * created the record. `version` starts at 1 and increases with each change.
 */
export interface Versioned {
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}
