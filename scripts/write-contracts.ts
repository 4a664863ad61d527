import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { format, resolveConfig } from 'prettier'
import { apiSchemaPath } from '../gateway/compose.ts'
import { contractVersions } from '../kernel/domain/contract-versions.ts'
import { projectRoot } from '../kernel/environment/root.ts'
import { asyncapi } from '../rest-facade/asyncapi.ts'
import type { Exemption } from './contracts/change.ts'
import { changesBetween, versionsOf, type Contracts } from './contracts/contracts.ts'
import { faultsOf, section, unchangedVersions } from './contracts/report.ts'

// Writes the section “Unreleased” of the changelog of the contracts: the differences between the
// released copies and the contracts as they are now. Fails for a breaking change without a new major
// version or an exemption. With `--check`, it only compares the section with the committed one. With
// `--release`, the section gets the date, and the contracts become the released copies.
const folder = join(projectRoot, 'contracts')
const changelogPath = join(folder, 'CHANGELOG.md')
const exemptionsPath = join(folder, 'exemptions.json')
const releasedPath = (name: string) => join(folder, 'released', name)
const restPath = join(projectRoot, 'sdk', 'openapi.json')
const read = (path: string) => readFileSync(path, 'utf8')
const formatted = async (path: string, text: string) =>
  format(text, { ...(await resolveConfig(path)), filepath: path })

const current: Contracts = {
  graph: read(apiSchemaPath),
  rest: JSON.parse(read(restPath)),
  // Importing `compose.ts` loads the areas, which declare the events.
  events: JSON.parse(JSON.stringify(asyncapi({ issuer: 'http://127.0.0.1:4000' }))),
}
const released: Contracts = {
  graph: read(releasedPath('schema.graphql')),
  rest: JSON.parse(read(releasedPath('openapi.json'))),
  events: JSON.parse(read(releasedPath('asyncapi.json'))),
}
const exemptions = JSON.parse(read(exemptionsPath)) as Exemption[]
const changes = await changesBetween(released, current)
const releasedVersions = versionsOf(released)
const faults = faultsOf(changes, exemptions, releasedVersions, contractVersions)

const isRelease = process.argv.includes('--release')
if (isRelease) {
  for (const name of unchangedVersions(changes, releasedVersions, contractVersions)) {
    faults.push(
      `The contract ${name} changed: give it a new version (kernel/domain/contract-versions.ts).`,
    )
  }
}
const unreleased = 'Unreleased'
const render = (heading: string) =>
  section(heading, changes, exemptions, releasedVersions, contractVersions)
const committed = read(changelogPath)
const start = committed.indexOf(`## ${unreleased}`)
const next = committed.indexOf('\n## ', start + 1)
const [intro, history] = [committed.slice(0, start), next < 0 ? '' : committed.slice(next)]
const changelogWith = (text: string) => formatted(changelogPath, `${intro}${text}${history}`)

if (faults.length > 0) {
  process.stderr.write(
    `${faults.join('\n')}\nGive the contract a new major version (kernel/domain/contract-versions.ts), or explain the change in contracts/exemptions.json.\n`,
  )
  process.exitCode = 1
} else if (isRelease) {
  const today = new Date().toISOString().slice(0, 10)
  writeFileSync(
    changelogPath,
    await changelogWith(`## ${unreleased}\n\nNo changes.\n\n${render(today)}`),
  )
  writeFileSync(exemptionsPath, '[]\n')
  writeReleased()
} else {
  const changelog = await changelogWith(render(unreleased))
  if (!process.argv.includes('--check')) writeFileSync(changelogPath, changelog)
  else if (changelog !== committed) {
    process.stderr.write('contracts/CHANGELOG.md is out of date: run npm run generate.\n')
    process.exitCode = 1
  }
}

function writeReleased(): void {
  copyFileSync(apiSchemaPath, releasedPath('schema.graphql'))
  copyFileSync(restPath, releasedPath('openapi.json'))
  writeFileSync(releasedPath('asyncapi.json'), `${JSON.stringify(current.events, null, 1)}\n`)
}
