import type { Command } from 'commander'
import { styled, type Output } from '../output.ts'
import { requireBaseUrl } from '../rest.ts'
import { findProfile, tokensOf, type GlobalOptions, type Profile } from '../profile.ts'

/** The result of one check, and what to do if it failed. */
interface Finding {
  check: string
  isGood: boolean
  detail: string
  advice?: string
}

const leastNode = [20, 19] as const
const maxSkewSeconds = 30
const timeoutMs = 5000

/** Adds the command that says what is wrong with an installation. */
export function addDoctor(program: Command, output: (command: Command) => Output): void {
  program
    .command('doctor')
    .description('check this installation, and say what to do')
    .action(async (_: object, command: Command) => {
      const findings = await examine(command.optsWithGlobals<GlobalOptions>())
      const out = output(command)
      if (out.isJson) out.value(findings)
      else for (const finding of findings) print(out, finding)
      if (findings.some(({ isGood }) => !isGood)) process.exitCode = 1
    })
}

/** Runs the checks in their order. Each needs the ones before it. */
async function examine(options: GlobalOptions): Promise<Finding[]> {
  const findings = [checkNode()]
  let profile: Profile
  try {
    profile = findProfile(options)
  } catch (error) {
    return [...findings, { check: 'credentials', isGood: false, detail: (error as Error).message }]
  }
  const { source, url } = profile
  findings.push({ check: 'credentials', isGood: true, detail: `from ${source}` })
  const health = await checkHealth(url)
  findings.push(...health)
  if (health.some(({ isGood }) => !isGood)) return findings
  const token = await checkToken(profile)
  findings.push(token)
  if (token.isGood) findings.push(await checkBaseUrl(profile))
  return findings
}

function checkNode(): Finding {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number)
  const isGood = major > leastNode[0] || (major === leastNode[0] && minor >= leastNode[1])
  const advice = `Install Node ${leastNode.join('.')} or newer; 24 is recommended.`
  return { check: 'Node', isGood, detail: process.versions.node, ...(!isGood && { advice }) }
}

/** Checks whether the bank answers, is ready, and agrees about the time. */
async function checkHealth(url: string): Promise<Finding[]> {
  const { origin } = new URL(url)
  let response: Response
  try {
    response = await fetch(`${origin}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    const { cause } = error as Error & { cause?: { code?: string } }
    const detail = `${origin} does not answer (${cause?.code ?? (error as Error).message})`
    const advice = 'Start the bank with npm start, or correct the URL.'
    return [{ check: 'bank', isGood: false, detail, advice }]
  }
  const health = (await response.json().catch(() => ({}))) as Health
  const skew = skewSeconds(response.headers.get('date'))
  return [
    {
      check: 'bank',
      isGood: response.ok && health.status === 'ready',
      detail: `${origin} is ${health.status ?? `not a bank (status ${response.status})`}`,
      ...adviceOn(health),
    },
    {
      check: 'clock',
      isGood: Math.abs(skew) <= maxSkewSeconds,
      detail: `this machine is ${skew} s ${skew < 0 ? 'behind' : 'ahead of'} the bank`,
      ...(Math.abs(skew) > maxSkewSeconds && {
        advice: 'Tokens and webhook signatures have times: set the clock.',
      }),
    },
  ]
}

interface Health {
  status?: string
  database?: string
  causes?: string[]
}

function adviceOn({ database, causes = [] }: Health): { advice?: string } {
  if (causes.length === 1 && causes[0] === 'ledger-findings') {
    return { advice: 'Query ledgerFindings: a balance needs a correction.' }
  }
  if (causes.length > 0) {
    return { advice: `${causes.join(', ')}: docs/operate/readiness.md says what to do.` }
  }
  return database === 'unavailable' ? { advice: 'The bank has no database: see its log.' } : {}
}

const skewSeconds = (date: string | null): number =>
  date === null ? 0 : Math.round((Date.now() - Date.parse(date)) / 1000)

async function checkToken(profile: Profile): Promise<Finding> {
  try {
    const token = await tokensOf(profile).token()
    const claims = JSON.parse(
      atob(token.split('.')[1]!.replaceAll('-', '+').replaceAll('_', '/')),
    ) as {
      client_id?: string
      scope?: string
    }
    const scopes = claims.scope?.split(' ').length ?? 0
    return { check: 'token', isGood: true, detail: `${claims.client_id} has ${scopes} scopes` }
  } catch (error) {
    const { message, cause } = error as Error & { cause?: { error_description?: string } }
    const detail = cause?.error_description ?? message
    const advice = 'Log in again with "bankgraph login", or have the secret rotated.'
    return { check: 'token', isGood: false, detail, advice }
  }
}

async function checkBaseUrl(profile: Profile): Promise<Finding> {
  try {
    await requireBaseUrl(profile)
    return { check: 'operations', isGood: true, detail: `at ${profile.url}` }
  } catch (error) {
    const advice = 'Log in again with the base URL of the bank.'
    return { check: 'operations', isGood: false, detail: (error as Error).message, advice }
  }
}

function print(output: Output, { check, isGood, detail, advice }: Finding): void {
  const mark = isGood ? styled('green', '✓') : styled('red', '✗')
  output.line(`${mark} ${check.padEnd(12)} ${detail}`)
  if (advice) output.line(`  ${advice}`)
}
