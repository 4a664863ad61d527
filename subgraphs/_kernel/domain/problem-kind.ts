/** What a code means on the wire: HTTP status, one-line title, and whether the same request may succeed later. */
export interface ProblemKind {
  status: number
  title: string
  retryable?: true
}

export const kind = (status: number, title: string): ProblemKind => ({ status, title })
export const retry = (status: number, title: string): ProblemKind => ({
  status,
  title,
  retryable: true,
})
