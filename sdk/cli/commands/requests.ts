import { readFile } from 'node:fs/promises'
import type { Command } from 'commander'
import { Failure } from '../failure.ts'
import { parseObject, readStandardInput, readText, setMembers } from '../input.ts'
import {
  clientOf,
  findProfile,
  requestToken,
  type GlobalOptions,
  type Profile,
} from '../profile.ts'
import type { Output } from '../output.ts'
import { sendRest } from '../rest.ts'

interface GetOptions extends GlobalOptions {
  query: string[]
}
interface PostOptions extends GlobalOptions {
  data?: string
  set: string[]
  key?: string
}
interface QueryOptions extends GlobalOptions {
  variables?: string
  set: string[]
  key?: string
}

const list = (value: string, earlier: string[]): string[] => [...earlier, value]

/** Adds the commands that send one request. */
export function addRequests(program: Command, output: (command: Command) => Output): void {
  program
    .command('get <path>')
    .description('send GET to a documented path, such as /accounts')
    .option('-q, --query <name=value>', 'a query parameter; can be repeated', list, [])
    .action(async (path: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<GetOptions>()
      const query: Record<string, unknown> = {}
      setMembers(query, options.query)
      const profile = findProfile(options)
      const text = new URLSearchParams(
        Object.entries(query).map(([n, v]) => [n, String(v)]),
      ).toString()
      const target = text ? `${path}${path.includes('?') ? '&' : '?'}${text}` : path
      output(command).value(await sendRest(profile, 'GET', target))
    })
  program
    .command('post <path>')
    .description('send POST to a documented path, with an idempotency key')
    .option('-d, --data <json>', 'the body: JSON, @file, or - for standard input')
    .option(
      '-s, --set <name=value>',
      'sets a member of the body, such as amount.currency=EUR',
      list,
      [],
    )
    .option('-k, --key <key>', 'the idempotency key; generated if omitted')
    .action(async (path: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<PostOptions>()
      const body = options.data ? parseObject(await readText(options.data), 'The body') : {}
      setMembers(body, options.set)
      const key = options.key ?? crypto.randomUUID()
      const profile = findProfile(options)
      const out = output(command)
      if (!options.key) out.note(`idempotency key ${key}`)
      out.value(await sendRest(profile, 'POST', path, body, key))
    })
  program
    .command('query <document>')
    .description('send a query or a mutation: a file, - for standard input, or the document itself')
    .option('-v, --variables <json>', 'the variables: JSON, @file, or - for standard input')
    .option('-s, --set <name=value>', 'sets a variable, such as input.amount=3', list, [])
    .option('-k, --key <key>', 'the idempotency key of a mutation; generated if omitted')
    .action(async (given: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<QueryOptions>()
      const variables = options.variables
        ? parseObject(await readText(options.variables), 'The variables')
        : {}
      setMembers(variables, options.set)
      const client = clientOf(findProfile(options))
      const call = options.key ? { idempotencyKey: options.key } : {}
      output(command).value(
        await client.graph<object, object>(await documentFrom(given), variables, call),
      )
    })
  program
    .command('token')
    .description('print an access token and nothing else')
    .action(async (_: object, command: Command) => {
      const profile: Profile = findProfile(command.optsWithGlobals<GlobalOptions>())
      output(command).line(await requestToken(profile))
    })
}

/** A document contains a brace, and the name of a file does not. */
async function documentFrom(given: string): Promise<string> {
  if (given === '-') return readStandardInput()
  if (given.includes('{')) return given
  return readFile(given, 'utf8').catch((error: Error) => {
    throw new Failure(`The document cannot be read: ${error.message}`)
  })
}
