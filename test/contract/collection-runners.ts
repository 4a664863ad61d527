import { randomBytes } from 'node:crypto'
import { createContext, runInContext } from 'node:vm'
import { interpolate } from '@usebruno/common'
import { Collection, VariableScope, type CollectionItem } from 'postman-collection'
import { expect } from 'vitest'

/** What a request of a collection got, with the failures of the collection's own tests. */
export interface Sent {
  name: string
  status: number
  text: string
  headers: Headers
  failures: string[]
}

interface Wire {
  method: string
  url: string
  headers: [string, string][]
  body?: string
}

const asForm = (fields: { key: string; value: string }[]) =>
  new URLSearchParams(fields.map(({ key, value }): [string, string] => [key, value])).toString()

async function send({ method, url, headers, body }: Wire) {
  const answer = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  return { status: answer.status, text: await answer.text(), headers: answer.headers }
}

/** Runs a script as an app does: with its own globals, and with `await` at the top. */
const runScript = (source: string, globals: object) =>
  runInContext(
    `(async () => {${source}\n})()`,
    createContext({ ...globals, Date }),
  ) as Promise<void>

/** Runs the tests of a script, and returns the messages of those that fail. */
function aTester(failures: string[]) {
  return (name: string, check: () => void) => {
    try {
      check()
    } catch (error) {
      failures.push(`${name}: ${(error as Error).message}`)
    }
  }
}

/**
 * Runs a collection in the format of Postman, whose library reads it and fills in the variables.
 * `credentials` are set as a user sets them.
 */
export async function runInPostman(file: object, credentials: Record<string, string>) {
  const collection = new Collection(file)
  const variables = new VariableScope({ values: collection.variables.all() })
  for (const [name, value] of Object.entries(credentials)) variables.set(name, value, 'string')
  const sent: Sent[] = []
  const items: CollectionItem[] = []
  collection.forEachItem((item) => items.push(item))
  for (const item of items) {
    const failures: string[] = []
    const pending: Promise<void>[] = []
    const pm: any = {
      variables,
      collectionVariables: variables,
      test: aTester(failures),
      expect,
      sendRequest({ url, method, body }: any, done: (error: unknown, response: object) => void) {
        const headers: Wire['headers'] = [['content-type', 'application/x-www-form-urlencoded']]
        const answer = send({ method, url, headers, body: asForm(body.urlencoded) })
        pending.push(
          answer.then(({ status, text }) =>
            done(null, { code: status, text: () => text, json: () => JSON.parse(text) }),
          ),
        )
      },
    }
    const run = async (listen: string) => {
      const events = [...collection.events.all(), ...item.events.all()]
      for (const event of events.filter((each) => each.listen === listen)) {
        await runScript(event.script.toSource(), { pm })
      }
      await Promise.all(pending)
    }
    await run('prerequest')
    const { method, url, header = [], body } = item.request.toJSON()
    const fill = (text: string) => variables.replaceIn(text)
    const token = collection.auth.parameters().get('token')
    const answer = await send({
      method,
      url: fill([url.host.join(''), ...url.path].join('/')),
      headers: [
        ['Authorization', `Bearer ${fill(token)}`],
        ...header.map(({ key, value }): [string, string] => [key, fill(value)]),
      ],
      ...(body && { body: fill(body.raw) }),
    })
    pm.response = {
      code: answer.status,
      text: () => answer.text,
      json: () => JSON.parse(answer.text),
    }
    await run('test')
    sent.push({ name: item.name, ...answer, failures })
  }
  return sent
}

/** Runs a collection in the format of Bruno, whose library fills in the variables. */
export async function runInBruno(file: any, credentials: Record<string, string>) {
  const environment = { ...valuesOf(file.environments[0].variables), ...credentials }
  const runtime: Record<string, unknown> = {}
  const { auth, script, tests, vars } = file.root.request
  const fill = (text: string) =>
    interpolate(text, { ...valuesOf(vars.req), ...environment, ...runtime }) as string
  const bru = {
    getEnvVar: (name: string) => environment[name],
    getVar: (name: string) => runtime[name],
    setVar: (name: string, value: unknown) => (runtime[name] = value),
    async sendRequest({ url, method, headers, data }: any) {
      const { text } = await send({ url, method, headers: Object.entries(headers), body: data })
      return { data: JSON.parse(text) }
    },
  }
  const sent: Sent[] = []
  for (const { name, request } of file.items.flatMap(({ items }: any) => items)) {
    const failures: string[] = []
    await runScript(script.req, { bru })
    const { method, url, headers, body } = request
    const answer = await send({
      method,
      url: fill(url),
      headers: [
        ['Authorization', `Bearer ${fill(auth.bearer.token)}`],
        ...headers.map((each: any) => [each.name, fill(each.value)]),
        ...(body.mode === 'json' ? [['Content-Type', 'application/json']] : []),
      ] as Wire['headers'],
      ...(body.mode === 'json' && { body: fill(body.json) }),
    })
    const res = { getStatus: () => answer.status, getBody: () => JSON.parse(answer.text) }
    await runScript(`${request.script.res ?? ''}\n${tests}`, {
      bru,
      res,
      expect,
      test: aTester(failures),
    })
    sent.push({ name, ...answer, failures })
  }
  return sent
}

const valuesOf = (variables: { name: string; value: string }[]): Record<string, string> =>
  Object.fromEntries(variables.map(({ name, value }) => [name, value]))

/** Adds the IDs that Bruno gives to each part of a collection when it imports it. */
export function withBrunoIds(value: any, isPart = true): any {
  if (Array.isArray(value)) return value.map((each) => withBrunoIds(each))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [
    name,
    Array.isArray(each) && name !== 'ignore' ? withBrunoIds(each) : withBrunoIds(each, false),
  ])
  const type = value.type === 'http' ? { type: 'http-request' } : {}
  const uid = isPart ? { uid: randomBytes(16).toString('hex').slice(0, 21) } : {}
  return { ...uid, ...Object.fromEntries(members), ...type }
}
