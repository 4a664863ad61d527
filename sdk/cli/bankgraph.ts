import { Command } from 'commander'
import { addClock } from './commands/clock.ts'
import { addCompletion } from './commands/completion.ts'
import { addDoctor } from './commands/doctor.ts'
import { addEvents } from './commands/events.ts'
import { addLogIn } from './commands/log-in.ts'
import { addLogs } from './commands/logs.ts'
import { addRequests } from './commands/requests.ts'
import type { GlobalOptions } from './profile.ts'
import { Output } from './output.ts'

const program = new Command('bankgraph')
  .description(
    'The command line of bankgraph: call the bank, follow its events, move the clock of the sandbox.',
  )
  .option('-e, --env <name>', 'sandbox (the default), live, or the name of a saved log-in')
  .option('--json', 'print results as JSON, one line each')
  .showHelpAfterError()

const outputOf = (command: Command): Output =>
  new Output(command.optsWithGlobals<GlobalOptions>().json === true)

addRequests(program, outputOf)
addEvents(program, outputOf)
addLogs(program, outputOf)
addClock(program, outputOf)
addLogIn(program, outputOf)
addDoctor(program, outputOf)
addCompletion(program, outputOf)

// A reader that has seen enough, such as head, closes the pipe.
process.stdout.on('error', () => process.exit(0))

try {
  await program.parseAsync()
} catch (error) {
  new Output(process.argv.includes('--json')).failure(error)
  process.exitCode = 1
}
