/**
 * Prints, forwards and triggers business events during development:
 * `npm run events -- listen --forward-to URL`, `npm run events -- trigger TYPE`.
 */
import { parseArgs } from 'node:util'
import { listen } from './events/listen.ts'
import { ServerClient } from './events/server.ts'
import { trigger, triggers } from './events/triggers.ts'

const usage = `npm run events -- listen [--forward-to URL] [--types a,b.*] [--after POSITION] [--count N] [--secret whsec_…]
npm run events -- trigger TYPE

  listen    prints every event when it is committed, and posts it, signed, to URL
  trigger   causes an event in the sandbox: ${Object.keys(triggers).join(', ')}

  --env     sandbox (the default) or live`

try {
  await run()
} catch (error) {
  process.stderr.write(`${(error as Error).message}\n`)
  process.exitCode = 1
}

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      env: { type: 'string', default: 'sandbox' },
      'forward-to': { type: 'string' },
      types: { type: 'string' },
      after: { type: 'string' },
      count: { type: 'string' },
      secret: { type: 'string' },
    },
  })
  const [command, type] = positionals
  if (!['sandbox', 'live'].includes(values.env)) throw new Error('--env must be sandbox or live.')
  const server = new ServerClient(values.env)
  if (command === 'trigger' && type) {
    if (values.env !== 'sandbox') throw new Error('trigger works only in the sandbox.')
    return trigger(server, type, print)
  }
  if (command !== 'listen') throw new Error(usage)
  await listen(server, {
    forwardTo: values['forward-to'] ?? null,
    types: values.types?.split(',') ?? null,
    after: values.after ?? null,
    count: values.count === undefined ? Number.POSITIVE_INFINITY : Number(values.count),
    secret: values.secret ?? null,
    print,
    note: (line) => void process.stderr.write(`${line}\n`),
  })
}

function print(line: string): void {
  process.stdout.write(`${line}\n`)
}
