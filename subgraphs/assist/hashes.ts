import { createHash } from 'node:crypto'
import { policyVersion, promptOf, type AssistantProfile } from './domain/assistant-type.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The hash of a tool's name and arguments, regardless of the order of the arguments. */
export function argumentsHashOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([name, sorted]))
}

/** The hash of the policy of a profile: its prompt, tools and limits. */
export function policyHashOf(profile: AssistantProfile): string {
  return sha256(JSON.stringify([policyVersion, profile, promptOf(profile)]))
}
