import { setTimeout as sleep } from 'node:timers/promises'
import type { Command } from 'commander'
import type { BankClient } from '../../src/index.ts'
import { Failure } from '../failure.ts'
import { addDuration } from '../input.ts'
import type { Output } from '../output.ts'
import { clientOf, findProfile, type GlobalOptions } from '../profile.ts'

interface ClockAdvance {
  clockAdvanceId: string
  to: string
  status: 'RUNNING' | 'COMPLETED'
  businessDate: string | null
  targetBusinessDate: string
  facilitiesBehind: number
  waitingFor: string[]
  failures: { job: string; code: string; detail: string }[]
}

const pollMs = 250
const nowQuery = 'query Now { environment { now } }'
const advanceMutation = `mutation AdvanceClock($to: DateTime!) {
  advanceClock(to: $to) { clockAdvance { clockAdvanceId } }
}`
const progressQuery = `query ClockAdvance($id: ID!) {
  clockAdvance(clockAdvanceId: $id) {
    clockAdvanceId to status businessDate targetBusinessDate facilitiesBehind waitingFor
    failures { job code detail }
  }
}`

/** Adds the commands that read the clock of the bank and move that of the sandbox. */
export function addClock(program: Command, output: (command: Command) => Output): void {
  const clock = program.command('clock').description('the clock of the sandbox')
  clock
    .command('now')
    .description('print the time at the bank, in UTC')
    .action(async (_: object, command: Command) => {
      const bank = clientOf(findProfile(command.optsWithGlobals<GlobalOptions>()))
      output(command).line((await nowOf(bank)).toISOString())
    })
  addDate(clock, output)
  addAdvance(clock, output)
}

function addDate(clock: Command, output: (command: Command) => Output): void {
  clock
    .command('date [duration]')
    .description(
      'print today’s date at the bank (UTC), or the date after a duration such as 10d, 2w, 1m (months) or 1y',
    )
    .option('--ago', 'the date before today by this duration')
    .action(async (duration: string | undefined, _: object, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions & { ago?: boolean }>()
      const direction = options.ago ? -1 : 1
      const now = await nowOf(clientOf(findProfile(options)))
      const time = duration === undefined ? now : addDuration(now, duration, direction)
      output(command).line(time.toISOString().slice(0, 10))
    })
}

async function nowOf(bank: BankClient): Promise<Date> {
  const { environment } = await bank.graph<{ environment: { now: string } }, object>(nowQuery)
  return new Date(environment.now)
}

function addAdvance(clock: Command, output: (command: Command) => Output): void {
  clock
    .command('advance <duration>')
    .description(
      'move the clock forward, such as 10d, 2w, 1m (months) or 1y, and wait for the work that is due',
    )
    .action(async (duration: string, _: object, command: Command) => {
      const bank = clientOf(findProfile(command.optsWithGlobals<GlobalOptions>()))
      const out = output(command)
      const to = addDuration(await nowOf(bank), duration).toISOString()
      const { advanceClock } = await bank.graph<
        { advanceClock: { clockAdvance: { clockAdvanceId: string } } },
        object
      >(advanceMutation, { to })
      const id = advanceClock.clockAdvance.clockAdvanceId
      for (;;) {
        const { clockAdvance } = await bank.graph<{ clockAdvance: ClockAdvance }, object>(
          progressQuery,
          { id },
        )
        out.progress(progressText(clockAdvance))
        if (clockAdvance.status === 'COMPLETED') return finish(out, clockAdvance)
        if (clockAdvance.failures[0]) {
          out.progress('')
          const { job, code, detail } = clockAdvance.failures[0]
          throw new Failure(`${job} failed and is being retried: ${code} ${detail}`)
        }
        await sleep(pollMs)
      }
    })
}

function progressText({ businessDate, targetBusinessDate, waitingFor }: ClockAdvance): string {
  const jobs = waitingFor.length > 0 ? ` · waiting for ${waitingFor.join(', ')}` : ''
  return `closed ${businessDate ?? '…'} of ${targetBusinessDate}${jobs}`
}

function finish(output: Output, advance: ClockAdvance): void {
  output.progress('')
  if (output.isJson) output.value(advance)
  else output.line(`The clock of the bank is at ${advance.to}, and all work that was due is done.`)
}
