import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { readStandardInput } from '../input.ts'
import type { Output } from '../output.ts'
import { removeProfile, saveProfile, tokensOf, type GlobalOptions } from '../profile.ts'

interface LogInOptions extends GlobalOptions {
  url: string
  clientId: string
}

/** Adds the commands that save and forget credentials. */
export function addLogIn(program: Command, output: (command: Command) => Output): void {
  program
    .command('login')
    .description('save the credentials of a program; the secret is read from standard input')
    .requiredOption('--url <url>', 'the base URL, with /v1 in the sandbox')
    .requiredOption('--client-id <id>', 'the ID of the OAuth client')
    .action(async (_: object, command: Command) => {
      const { url, clientId, env } = command.optsWithGlobals<LogInOptions>()
      if (!URL.canParse(url)) throw new Failure(`${url} is not a URL.`)
      if (process.stdin.isTTY)
        output(command).note('Type the secret of the client, then Enter and Ctrl+D.')
      const clientSecret = (await readStandardInput()).trim()
      if (clientSecret === '') throw new Failure('The secret is empty.')
      const profile = { url: url.replace(/\/$/, ''), clientId, clientSecret }
      await tokensOf({ ...profile, source: '' }).token()
      const name = env ?? (profile.url.endsWith('/v1') ? 'sandbox' : 'live')
      const path = saveProfile(name, profile)
      output(command).note(`Logged in to ${name} as ${clientId}. The credentials are in ${path}.`)
    })
  program
    .command('logout')
    .description('forget saved credentials')
    .action((_: object, command: Command) => {
      const { env = 'sandbox' } = command.optsWithGlobals<GlobalOptions>()
      if (!removeProfile(env)) throw new Failure(`There are no saved credentials for ${env}.`)
    })
}
