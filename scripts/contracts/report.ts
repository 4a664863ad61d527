import { contractVersions, type ContractName } from '../../kernel/domain/contract-versions.ts'
import type { Change, Exemption } from './change.ts'

/** The versions of the contracts. */
export type Versions = Readonly<Record<ContractName, string>>

const titles: Readonly<Record<ContractName, string>> = {
  graph: 'Graph',
  rest: 'REST',
  events: 'Events',
}
const names = Object.keys(contractVersions) as ContractName[]

const isExempt = (change: Change, exemptions: readonly Exemption[]) =>
  exemptions.some((each) => each.contract === change.contract && each.change === change.message)

const majorOf = (version: string) => Number(version.split('.')[0])

/**
 * Returns what is wrong with the changes: breaking changes without a new major version or an
 * exemption, and exemptions without a change or a reason.
 */
export function faultsOf(
  changes: readonly Change[],
  exemptions: readonly Exemption[],
  released: Versions,
  current: Versions,
): string[] {
  const breaking = changes.filter(
    (each) =>
      each.isBreaking &&
      majorOf(current[each.contract]) <= majorOf(released[each.contract]) &&
      !isExempt(each, exemptions),
  )
  const outdated = exemptions.filter(
    (each) => !changes.some((change) => change.isBreaking && isExempt(change, [each])),
  )
  return [
    ...breaking.map(
      ({ contract, message }) =>
        `${titles[contract]} ${current[contract]}: ${message} This breaks clients of ${released[contract]}.`,
    ),
    ...outdated.map(
      ({ contract, change }) => `${titles[contract]}: the exemption “${change}” has no change.`,
    ),
    ...exemptions
      .filter(({ reason }) => reason.trim() === '')
      .map(
        ({ contract, change }) => `${titles[contract]}: the exemption “${change}” has no reason.`,
      ),
  ]
}

/** Returns the contracts that changed and have the version of their released copy. */
export function unchangedVersions(
  changes: readonly Change[],
  released: Versions,
  current: Versions,
): ContractName[] {
  return names.filter(
    (name) => changes.some(({ contract }) => contract === name) && current[name] === released[name],
  )
}

/** Renders the changes since the released copies as a section of the changelog. */
export function section(
  heading: string,
  changes: readonly Change[],
  exemptions: readonly Exemption[],
  released: Versions,
  current: Versions,
): string {
  const parts = names.flatMap((name) => {
    const own = changes.filter(({ contract }) => contract === name)
    if (own.length === 0) return []
    const versions =
      current[name] === released[name] ? released[name] : `${released[name]} → ${current[name]}`
    const lines = [
      ...own.filter(({ isBreaking }) => isBreaking).map((each) => line(each, exemptions)),
      ...own.filter(({ isBreaking }) => !isBreaking).map((each) => line(each, exemptions)),
    ]
    return [`### ${titles[name]} ${versions}\n\n${lines.join('\n')}\n`]
  })
  return `## ${heading}\n\n${parts.length > 0 ? parts.join('\n') : 'No changes.\n'}`
}

function line({ contract, isBreaking, message }: Change, exemptions: readonly Exemption[]): string {
  const exemption = exemptions.find((each) => each.contract === contract && each.change === message)
  const reason = exemption ? ` Accepted: ${exemption.reason}` : ''
  return `- ${isBreaking ? '**Breaking.** ' : ''}${message}${reason}`
}
