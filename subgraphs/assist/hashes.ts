import { createHash } from 'node:crypto'
import { policyVersion, promptOf, type AssistantProfile } from './domain/assistant-type.ts'

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** The hash of what a tool would do: its name and its arguments, in whatever order they come. */
export function argumentsHashOf(name: string, args: Readonly<Record<string, unknown>>): string {
  const sorted = Object.entries(args).sort(([one], [other]) => (one < other ? -1 : 1))
  return sha256(JSON.stringify([name, sorted]))
}

/** The hash under which a policy is recorded: of everything that a profile allows and says. */
export function policyHashOf(profile: AssistantProfile): string {
  return sha256(JSON.stringify([policyVersion, profile, promptOf(profile)]))
}
