import { Problem } from '../../_kernel/domain/problem.ts'

/** How a contact travels, or what waits for somebody. Amazon Connect's, and the bank's own inboxes. */
export const media = ['voice', 'chat', 'task', 'email', 'secure-message'] as const
export type Medium = (typeof media)[number]

/** Somebody is there and waits: refused, not queued, while the channel is closed. */
export const liveMedia: readonly Medium[] = ['voice', 'chat']

/** A refusal of one member of the request. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
