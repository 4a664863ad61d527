import type { Command } from 'commander'
import { newWebhookSecret, type BankEvent } from '../../src/index.ts'
import { Failure } from '../failure.ts'
import { forward, type Forwarded } from '../forward.ts'
import { styled, type Output } from '../output.ts'
import { clientOf, findProfile, type GlobalOptions } from '../profile.ts'
import { trigger, triggers } from '../triggers.ts'

interface FollowOptions extends GlobalOptions {
  types?: string
  subject?: string
  after?: string
  count?: string
}
interface ListenOptions extends FollowOptions {
  forward?: string
  forwardTo?: string
  secret?: string
}

/** Adds the commands that follow, forward and cause events. */
export function addEvents(program: Command, output: (command: Command) => Output): void {
  const events = program.command('events').description('follow and cause business events')
  followOptions(events.command('tail'))
    .description('print events as they happen; a lost connection loses and repeats none')
    .action(async (_: object, command: Command) => {
      await follow(command.optsWithGlobals<ListenOptions>(), output(command))
    })
  listenOptions(events.command('listen'))
    .description('like "bankgraph listen"')
    .action((_: object, command: Command) => listen(command, output(command)))
  listenOptions(program.command('listen'))
    .description('forward events, signed like webhooks, to a program on this machine')
    .action((_: object, command: Command) => listen(command, output(command)))
  events
    .command('trigger <type>')
    .description(`cause an event in the sandbox: ${Object.keys(triggers).join(', ')}`)
    .option(
      '-s, --set <name=value>',
      'sets a variable of the operations, such as givenName=Ada',
      (value: string, earlier: string[]) => [...earlier, value],
      [],
    )
    .action(async (type: string, { set }: { set: string[] }, command: Command) => {
      const options = command.optsWithGlobals<GlobalOptions>()
      if (options.env === 'live') throw new Failure('trigger works only in the sandbox.')
      const bank = clientOf(findProfile(options))
      for await (const result of trigger(bank, type, set))
        output(command).line(JSON.stringify(result))
    })
}

const followOptions = (command: Command): Command =>
  command
    .option('--types <types>', 'only these types, separated by commas, such as lending.*')
    .option('--subject <subject>', 'only events about this record, such as loan/loan_ada')
    .option('--after <position>', 'begin behind this position; 0 for all events')
    .option('--count <number>', 'stop after this many events')

const listenOptions = (command: Command): Command =>
  followOptions(command)
    .option('--forward <url>', 'post each event to this URL')
    .option('--forward-to <url>', 'the same')
    .option('--secret <secret>', 'sign with this secret (whsec_…); generated if omitted')

async function listen(command: Command, output: Output): Promise<void> {
  const options = command.optsWithGlobals<ListenOptions>()
  const url = options.forward ?? options.forwardTo
  if (url === undefined) return follow(options, output)
  if (!URL.canParse(url)) throw new Failure(`${url} is not a URL.`)
  findProfile(options)
  const secret = options.secret ?? newWebhookSecret()
  const delivered: BankEvent[] = []
  const deliver = async (event: BankEvent) =>
    printDelivery(output, event, await forward(event, url, secret))
  output.note(`forwarding to ${url}, signed with ${secret}`)
  const stopReplay = onKey('r', () => {
    const last = delivered.at(-1)
    if (last) void deliver(last)
  })
  if (stopReplay) output.note('press r to send the last event again')
  try {
    await follow(options, output, async (event) => {
      delivered[0] = event
      await deliver(event)
    })
  } finally {
    stopReplay?.()
  }
}

async function follow(
  options: FollowOptions,
  output: Output,
  take: (event: BankEvent) => Promise<void> | void = (event) => printEvent(output, event),
): Promise<void> {
  const { types, subject, after, count } = options
  const limit = count === undefined ? Number.POSITIVE_INFINITY : Number(count)
  if (Number.isNaN(limit)) throw new Failure('--count must be a number.')
  const events = clientOf(findProfile(options)).events({
    ...(types !== undefined && { types: types.split(',') }),
    ...(subject !== undefined && { subject }),
    ...(after !== undefined && { after }),
    onInterruption: (error) => output.note(`${(error as Error).message}; reconnecting`),
  })
  let received = 0
  for await (const event of events) {
    await take(event)
    if (++received >= limit) return
  }
}

function printEvent(output: Output, event: BankEvent): void {
  if (output.isJson) output.value(event)
  else output.line(lineOf(event))
}

function printDelivery(output: Output, event: BankEvent, delivery: Forwarded): void {
  if (output.isJson) return output.value({ event, delivery })
  const { status, durationMs, error } = delivery
  const isAccepted = status !== null && status < 300
  const result = status === null ? error! : `${status} (${durationMs} ms)`
  output.line(`${lineOf(event)} -> ${styled(isAccepted ? 'green' : 'red', result)}`)
}

const lineOf = ({ position, time, type, subjectId }: BankEvent): string =>
  `${styled('dim', `${position} ${time}`)} ${type} ${styled('cyan', subjectId)}`

/** Calls `act` when a key is pressed. Returns how to stop; undefined where there is no terminal. */
function onKey(key: string, act: () => void): (() => void) | undefined {
  const { stdin } = process
  if (!stdin.isTTY) return undefined
  stdin.setRawMode(true).resume()
  const take = (pressed: Buffer) => {
    if (String(pressed) === key) act()
    // In raw mode, Ctrl+C is a character.
    if (String(pressed) === '\u0003') process.kill(process.pid, 'SIGINT')
  }
  stdin.on('data', take)
  return () => {
    stdin.off('data', take)
    stdin.setRawMode(false).pause()
  }
}
