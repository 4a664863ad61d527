import { NoAnswer } from './errors.ts'

/** Sends a request like `fetch`. Throws `NoAnswer` if no answer arrives. */
export async function fetchAnswer(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  try {
    return await fetch(input, init)
  } catch (cause) {
    if (init?.signal?.aborted) throw cause
    throw new NoAnswer(undefined, { cause })
  }
}
