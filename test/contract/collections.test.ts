// The collections for Postman and Bruno: each documented operation succeeds in a new sandbox, with
// credentials or a token and nothing else, and succeeds again.
import { collectionSchema } from '@usebruno/schema'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { routes } from '../../rest-facade/routes.ts'
import { operationOf } from '../../rest-facade/wire.ts'
import type { Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { runInBruno, runInPostman, withBrunoIds, type Sent } from './collection-runners.ts'

let bank: Platform
beforeAll(async () => {
  bank = await aSeededPlatform()
})
afterAll(() => bank.stop())

const download = async (path: string, from = bank) => {
  const answer = await fetch(from.url + path)
  expect(answer.headers.get('content-disposition')).toContain(path.slice(1))
  return answer.json() as Promise<any>
}

const operations = routes
  .map(({ operation }) => operationOf(operation).name!.value)
  .map((name) => name[0]!.toLowerCase() + name.slice(1))

function expectSuccess(sent: readonly Sent[]) {
  const failed = sent.filter(({ status, failures }) => status >= 300 || failures.length > 0)
  expect(failed.map(({ name, text, failures }) => [name, text, failures])).toEqual([])
  expect(sent.map(({ name }) => name).toSorted()).toEqual(operations.toSorted())
}

describe.each([
  ['Postman', '/postman.json', runInPostman],
  ['Bruno', '/bruno.json', runInBruno],
] as const)('The collection for %s', (_app, path, run) => {
  test('runs with the credentials of a client, and runs again', async () => {
    const { clientId, clientSecret } = bank.credentials
    for (let round = 0; round < 2; round++) {
      expectSuccess(await run(await download(path), { clientId, clientSecret }))
    }
  })

  test('runs with a token', async () => {
    expectSuccess(await run(await download(path), { token: bank.token() }))
  })

  test('reports a rejection', async () => {
    const sent = await run(await download(path), { token: 'expired' })
    expect(sent.map(({ status }) => status)).toEqual(operations.map(() => 401))
    for (const { failures } of sent) expect(failures).toEqual([expect.stringContaining('2xx')])
  })

  test('uses the records of its own earlier requests', async () => {
    const sent = await run(await download(path), { token: bank.token() })
    const of = (name: string) => JSON.parse(sent.find((each) => each.name === name)!.text)
    const { arrangementId } = of('openAccount')
    expect(JSON.stringify(of('createPostingInstruction').entries)).toContain(arrangementId)
    const { applicationId } = of('recordCreditDecision')
    expect(of('acceptLoanTerms').applicationId).toBe(applicationId)
  })
})

test('the file for Bruno has the format that the app imports', async () => {
  const file = await download('/bruno.json')
  await collectionSchema.validate(withBrunoIds(file))
  file.items[0].items[0].request.surprise = true
  await expect(collectionSchema.validate(withBrunoIds(file))).rejects.toThrow('surprise')
})
