import type { TokenVerifier } from '../../../kernel/authorization/token.ts'
import { Session } from 'node:inspector/promises'
import pino from 'pino'
import { startTracing } from '../../../host/tracing.ts'
import { parseConfig } from '../../../kernel/environment/config.ts'
import { useTracer } from '../../../kernel/telemetry/tracing.ts'
import { shareOf } from '../cpu-profile.ts'
import { aTraceReceiver } from '../../kit/trace-receiver.ts'
import { startPlatform } from './platform.ts'

// The platform, which leaves out a part of its work after a message that names it: 'all' is the platform as it
// ships, 'without verification' takes everybody for the caller of its own token, and 'without log' does
// not log requests. 'with traces' also traces requests and records one of a hundred, for a collector in this
// process, whose work counts against it. One process is compared with itself, because two processes of the same program
// differ by more than such a part costs.
// The server traces requests only if tracing is on when it starts.
const { endpoint } = await aTraceReceiver()
const settings = { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_TRACES_SAMPLER: 'traceidratio' }
const { tracing } = parseConfig({ ...settings, OTEL_TRACES_SAMPLER_ARG: '0.01' })
const { tracer } = startTracing(tracing!, pino({ level: 'silent' }))
const { bank, token } = await startPlatform()
useTracer(null)
const caller = await bank.verifier.verify(`Bearer ${token}`)
// A copy, as in the other modes: a mode must not be faster because its objects have another shape.
const ships = { verifier: bank.verifier, config: { ...bank.config } }
const trusting: TokenVerifier = { verify: () => caller, verifyWithoutProof: () => caller }
const modes: Record<string, Partial<typeof ships>> = {
  all: ships,
  'without verification': { verifier: trusting },
  'with traces': ships,
  'without log': { config: { ...bank.config, isRequestLogOn: false } },
}
const session = new Session()
session.connect()
await session.post('Profiler.enable')
process.on('message', (mode) => {
  useTracer(mode === 'with traces' ? tracer : null)
  Object.assign(bank, modes[mode as string])
})
// The profile tells the share of the log's own functions. It is taken apart from the turns, because it costs time.
process.on('message', (message) => {
  if (message === 'start profile') void session.post('Profiler.start')
  if (message === 'end profile') void sendShare()
})
process.send!({ token })

async function sendShare(): Promise<void> {
  const { profile } = await session.post('Profiler.stop')
  process.send!({ share: shareOf(profile, ['entryOf', 'add', '#flush'], 'request-log.ts') })
}
