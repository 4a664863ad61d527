import { createHash } from 'node:crypto'
import { policyVersion, promptOf, type AssistantProfile } from '../domain/assistant-type.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** Returns the hash of a tool's name and arguments. The order of the arguments does not matter. */
export function argumentsHashOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const sortedArguments = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([name, sortedArguments]))
}

/** Returns the hash of the policy version, a profile and its system prompt. */
export function policyHashOf(profile: AssistantProfile): string {
  return sha256(JSON.stringify([policyVersion, profile, promptOf(profile)]))
}
