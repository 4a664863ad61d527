import { Problem } from '../../_kernel/domain/problem.ts'

/** The media of interactions: those of Amazon Connect, and the bank's own inboxes. */
export const media = ['voice', 'chat', 'task', 'email', 'secure-message'] as const
export type Medium = (typeof media)[number]

/**
 * Media with a live customer. Such contacts are refused, not queued, while the channel is closed.
 */
export const liveMedia: readonly Medium[] = ['voice', 'chat']

/** VALIDATION_FAILED for one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
