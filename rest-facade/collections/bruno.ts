import type { JsonSchema } from '../json-schema.ts'
import type { Collection, CollectionRequest, Variable } from './collection.ts'

/** Renders a collection for Bruno, in the format that the app exports and imports. */
export function brunoCollection(collection: Collection): JsonSchema {
  const { name, description, folders, environment, records } = collection
  return {
    name,
    version: '1',
    items: folders.map((folder, index) => ({
      type: 'folder',
      name: folder.name,
      seq: index + 1,
      root: { meta: { name: folder.name, seq: index + 1 } },
      items: folder.requests.map((request, position) => itemOf(request, position + 1)),
    })),
    activeEnvironmentUid: null,
    environments: [{ name: 'bankgraph', variables: environment.map((each) => variableOf(each)) }],
    brunoConfig: { version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] },
    root: {
      docs: description,
      request: {
        headers: [],
        auth: { mode: 'bearer', bearer: { token: '{{token}}' } },
        script: { req: preRequest(collection) },
        vars: {
          req: records.map((each) => ({ name: each.name, value: each.value, enabled: true })),
        },
        tests: `test('responds with 2xx', () => expect(res.getStatus()).to.be.within(200, 299))`,
      },
    },
  }
}

const variableOf = ({ name, value, isSecret }: Variable) => ({
  name,
  value,
  type: 'text',
  enabled: true,
  secret: Boolean(isSecret),
})

function itemOf(request: CollectionRequest, seq: number): JsonSchema {
  const { name, description, method, path, query, hasIdempotencyKey, body, captures } = request
  const header = (key: string, value: string) => ({ name: key, value, enabled: true })
  const lines = Object.entries(captures).map(
    ([variable, member]) =>
      `if (res.getStatus() < 300) bru.setVar('${variable}', res.getBody().${member})`,
  )
  return {
    type: 'http',
    name,
    seq,
    request: {
      url: `{{baseUrl}}${path}`,
      method,
      headers: hasIdempotencyKey ? [header('Idempotency-Key', '{{$guid}}')] : [],
      params: query.map((each) => ({
        name: each.name,
        value: '',
        description: each.description,
        type: 'query',
        enabled: false,
      })),
      auth: { mode: 'inherit' },
      body: body === null ? { mode: 'none' } : { mode: 'json', json: body },
      script: lines.length > 0 ? { res: lines.join('\n') } : {},
      vars: {},
      assertions: [],
      tests: '',
      docs: description,
    },
  }
}

/** Sets the dates, and requests a token if there are credentials and no valid token. */
const preRequest = ({ clockOffsetMs, dayOffsets }: Collection) =>
  `// How far the clock of the bank is ahead of the real time, in milliseconds.
const clockOffsetMs = ${clockOffsetMs}
const now = Date.now() + clockOffsetMs
bru.setVar('now', new Date(now).toISOString())
for (const days of ${JSON.stringify(dayOffsets)}) {
  bru.setVar('todayPlus' + days, new Date(now + days * 86400000).toISOString().slice(0, 10))
}
const clientId = bru.getEnvVar('clientId')
if (clientId && Date.now() > Number(bru.getVar('tokenExpiresAt') || 0)) {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: bru.getEnvVar('clientSecret') }
  const response = await bru.sendRequest({
    url: bru.getEnvVar('tokenUrl'),
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    data: Object.entries(form).map(([name, value]) => name + '=' + encodeURIComponent(value)).join('&'),
  })
  bru.setVar('token', response.data.access_token)
  bru.setVar('tokenExpiresAt', Date.now() + (response.data.expires_in - 30) * 1000)
}`
