/**
 * Runs an example against the running sandbox: `npm run example web-shop`. Builds the client package
 * if that is necessary, and gives the example the address of the sandbox and its credentials.
 */
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { credentialsOf } from './credentials.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const [name, ...values] = process.argv.slice(2)
const folder = join(root, 'examples', name ?? '')

if (!name || !existsSync(join(folder, 'package.json')))
  fail(`Name an example: ${namesOfExamples()}.`)
try {
  const { clientId, clientSecret, tokenEndpoint } = credentialsOf('sandbox')
  installClient()
  run({
    BANK_URL: `${new URL(tokenEndpoint).origin}/v1`,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
  })
} catch (error) {
  fail(error.message)
}

function namesOfExamples() {
  const entries = readdirSync(join(root, 'examples'), { withFileTypes: true })
  const isExample = (entry) => existsSync(join(root, 'examples', entry.name, 'package.json'))
  return entries
    .filter(isExample)
    .map((entry) => entry.name)
    .join(', ')
}

/** Builds the client package if its sources changed, and links it to where the examples find it. */
function installClient() {
  const built = join(root, 'sdk/dist/types/index.d.ts')
  if (!existsSync(built) || statSync(built).mtimeMs < newestChange(join(root, 'sdk/src'))) {
    const { status } = spawnSync(process.execPath, [join(root, 'scripts/build-sdk.mjs')], {
      stdio: 'inherit',
    })
    if (status !== 0) throw new Error('The client package could not be built.')
  }
  const link = join(root, 'examples/node_modules/@bankgraph/client')
  mkdirSync(dirname(link), { recursive: true })
  if (!existsSync(link)) symlinkSync(join(root, 'sdk'), link, 'junction')
}

function newestChange(path) {
  return Math.max(...readdirSync(path).map((file) => statSync(join(path, file)).mtimeMs))
}

/** Runs the example until it ends. Signals to this program reach it. */
function run(variables) {
  const child = spawn('npm', ['start', '--silent', '--', ...values], {
    cwd: folder,
    env: { ...variables, ...process.env },
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal))
  child.on('exit', (code) => (process.exitCode = code ?? 1))
}

function fail(message) {
  console.error(message)
  process.exit(1)
}
