/**
 * The meaning of a problem code: HTTP status, one-line title, and whether a retry of the same
 * request may succeed.
 */
export interface ProblemKind {
  status: number
  title: string
  retryable?: true
}

export const problemKind = (status: number, title: string): ProblemKind => ({ status, title })
export const retryableKind = (status: number, title: string): ProblemKind => ({
  status,
  title,
  retryable: true,
})
