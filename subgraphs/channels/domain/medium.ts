import type { Medium } from '../model/enumerations.ts'
import { Problem } from './problems.ts'

/**
 * The media with a live customer. A live contact over a closed channel is rejected and not queued.
 */
export const liveMedia: readonly Medium[] = ['voice', 'chat']

/** Returns the problem VALIDATION_FAILED with one error, for the property at `pointer`. */
export function invalid(pointer: string, code: string, detail: string): Problem {
  return new Problem('VALIDATION_FAILED', { detail, errors: [{ pointer, code, detail }] })
}
