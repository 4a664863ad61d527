import type { JsonSchema } from '../json-schema.ts'
import type { Collection, CollectionRequest, Variable } from './collection.ts'

const schema = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

/** Renders a collection for Postman, in the format 2.1. */
export function postmanCollection(collection: Collection): JsonSchema {
  const { name, description, folders, environment, records } = collection
  return {
    info: { name, description, schema },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{token}}', type: 'string' }] },
    event: [
      script('prerequest', preRequest(collection)),
      script('test', [
        `pm.test('responds with 2xx', () => pm.expect(pm.response.code, pm.response.text()).to.be.within(200, 299))`,
      ]),
    ],
    variable: [...environment, ...records].map((each) => variableOf(each)),
    item: folders.map((folder) => ({
      name: folder.name,
      item: folder.requests.map((request) => itemOf(request)),
    })),
  }
}

const variableOf = ({ name, value, isSecret }: Variable) => ({
  key: name,
  value,
  type: isSecret ? 'secret' : 'string',
})

function itemOf(request: CollectionRequest): JsonSchema {
  const { name, description, method, path, query, hasIdempotencyKey, body, captures } = request
  const lines = Object.entries(captures).map(
    ([variable, member]) =>
      `if (pm.response.code < 300) pm.collectionVariables.set('${variable}', pm.response.json().${member})`,
  )
  return {
    name,
    ...(lines.length > 0 && { event: [script('test', lines)] }),
    request: {
      method,
      description,
      url: {
        raw: `{{baseUrl}}${path}`,
        host: ['{{baseUrl}}'],
        path: path.slice(1).split('/'),
        query: query.map((each) => ({
          key: each.name,
          value: '',
          description: each.description,
          disabled: true,
        })),
      },
      header: [
        ...(body === null ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
        ...(hasIdempotencyKey ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
      ],
      ...(body !== null && {
        body: { mode: 'raw', raw: body, options: { raw: { language: 'json' } } },
      }),
    },
    response: [],
  }
}

const script = (listen: string, exec: readonly string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
})

/** Sets the dates, and requests a token if there are credentials and no valid token. */
function preRequest({ clockOffsetMs, dayOffsets }: Collection): string[] {
  return `// How far the clock of the bank is ahead of the real time, in milliseconds.
const clockOffsetMs = ${clockOffsetMs}
const now = Date.now() + clockOffsetMs
pm.variables.set('now', new Date(now).toISOString())
for (const days of ${JSON.stringify(dayOffsets)}) {
  pm.variables.set('todayPlus' + days, new Date(now + days * 86400000).toISOString().slice(0, 10))
}
const clientId = pm.variables.get('clientId')
if (clientId && Date.now() > Number(pm.collectionVariables.get('tokenExpiresAt') || 0)) {
  const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: pm.variables.get('clientSecret') }
  pm.sendRequest(
    {
      url: pm.variables.get('tokenUrl'),
      method: 'POST',
      body: { mode: 'urlencoded', urlencoded: Object.entries(form).map(([key, value]) => ({ key, value })) },
    },
    (error, response) => {
      if (error || response.code !== 200) throw new Error('The bank issued no token: ' + (error || response.text()))
      const { access_token: token, expires_in: seconds } = response.json()
      pm.collectionVariables.set('token', token)
      pm.collectionVariables.set('tokenExpiresAt', Date.now() + (seconds - 30) * 1000)
    },
  )
}`.split('\n')
}
