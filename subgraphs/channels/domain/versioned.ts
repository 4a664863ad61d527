/** The head of every record of this area. */
export interface Versioned {
  contentHash: string
  version: number
  createdAt: Date
  updatedAt: Date
}
