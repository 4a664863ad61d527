import { join, resolve } from 'node:path'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { readStandardInput } from '../input.ts'
import type { Output } from '../output.ts'
import * as profiles from '../profile.ts'
import type { GlobalOptions, Profile } from '../profile.ts'
import { requireBaseUrl } from '../rest.ts'

interface LogInOptions extends GlobalOptions {
  bank?: string
  url?: string
  clientId?: string
}

/** Adds the commands that save, print and forget credentials. */
export function addLogIn(program: Command, output: (command: Command) => Output): void {
  program
    .command('login')
    .description('save the credentials of a program: of a bank on this machine, or with its secret')
    .option('--bank <folder>', 'the folder of a bank on this machine, which npm start has started')
    .option('--url <url>', 'the base URL, with /v1 in the sandbox')
    .option('--client-id <id>', 'the ID of the OAuth client; standard input has its secret')
    .action(async (_: object, command: Command) => {
      const options = command.optsWithGlobals<LogInOptions>()
      const { source: _source, ...profile } = await profileFrom(options, output(command))
      const checked = { ...profile, source: '' }
      await profiles.requestToken(checked)
      await requireBaseUrl(checked)
      const name = options.env ?? (profile.url.endsWith('/v1') ? 'sandbox' : 'live')
      const path = profiles.saveProfile(name, profile)
      const who = profile.clientId
      output(command).note(`Logged in to ${name} as ${who}. The credentials are in ${path}.`)
    })
  program
    .command('credentials')
    .description('print the credentials as lines of an .env file, for node --env-file=.env')
    .action((_: object, command: Command) => {
      const profile = profiles.findProfile(command.optsWithGlobals<GlobalOptions>())
      const { url, clientId, clientSecret } = profile
      if (!clientId || !clientSecret)
        throw new Failure('There is no secret, only a token or a key.')
      const lines = { BANK_URL: url, CLIENT_ID: clientId, CLIENT_SECRET: clientSecret }
      for (const [name, value] of Object.entries(lines)) output(command).line(`${name}=${value}`)
    })
  program
    .command('logout')
    .description('forget saved credentials')
    .action((_: object, command: Command) => {
      const { env = 'sandbox' } = command.optsWithGlobals<GlobalOptions>()
      const isRemoved = profiles.removeProfile(env)
      if (!isRemoved) throw new Failure(`There are no saved credentials for ${env}.`)
    })
}

/** Returns what to save, from the folder of a bank or from the options and standard input. */
async function profileFrom(options: LogInOptions, output: Output): Promise<Profile> {
  const { bank, url, clientId, env = 'sandbox' } = options
  if (bank !== undefined) {
    const folder = join(resolve(bank), '.data')
    const profile = profiles.profileOfBank(env, folder)
    if (profile) return profile
    throw new Failure(`${folder} has no credentials for ${env}. Start the bank with npm start.`)
  }
  if (url === undefined || clientId === undefined) {
    throw new Failure('Give --bank with the folder of a bank, or --url and --client-id.')
  }
  if (!URL.canParse(url)) throw new Failure(`${url} is not a URL.`)
  if (process.stdin.isTTY) output.note('Type the secret of the client, then Enter and Ctrl+D.')
  const clientSecret = (await readStandardInput()).trim()
  if (clientSecret === '') throw new Failure('The secret is empty.')
  return { url: url.replace(/\/$/, ''), clientId, clientSecret, source: '' }
}
