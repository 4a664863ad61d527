/** Texts of the vault: each is bound to its row and column, and is encrypted again after a rotation. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import '../../../subgraphs/index.ts'
import '../../../oauth/personal-data.ts'
import type { Bank } from '../../../kernel/environment/bank.ts'
import { createVault } from '../../../kernel/environment/vault.ts'
import { decryptIn, encryptIn, vaultColumns } from '../../../kernel/environment/vault-columns.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { endpointSecrets } from '../../../subgraphs/events/store/vault-columns.ts'
import { messageContent, toolCallArgs } from '../../../subgraphs/assist/store/vault-columns.ts'
import { listMessages } from '../../../subgraphs/assist/store/message.ts'
import { listToolCalls } from '../../../subgraphs/assist/store/tool-call.ts'
import { privacy } from '../../../subgraphs/privacy/index.ts'
import { reencryptBatch } from '../../../subgraphs/privacy/store/reencryption.ts'
import { reencrypt } from '../../../subgraphs/privacy/workers/reencrypt.ts'
import { aSubgraph, type RunningSubgraph } from '../../kit/subgraph.ts'

const ringOf = (...known: [string, ...string[]]) => ({ current: known[0], accepted: known, known })
const former = createVault(ringOf('root-1'))
const rotated = createVault(ringOf('root-2', 'root-1'))
const later = createVault(ringOf('root-2'))

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(privacy)
  // The texts need no session.
  await bank.rows('alter table assist.message drop constraint message_session_id_fkey')
  await bank.rows('alter table assist.tool_call drop constraint tool_call_session_id_fkey')
  await bank.rows(
    `insert into events.endpoint select (json_populate_record(null::events.endpoint, $1)).*`,
    [
      {
        ...endpointColumns,
        secrets: [
          { encrypted: former.encrypt('whsec_1', 'webhook-endpoint/whk_1'), expiresAt: null },
        ],
      },
    ],
  )
  for (let n = 0; n < messages; n++) {
    await bank.rows(
      `insert into assist.message values ($1, 'ses_1', $2, 'user', $3, 'completed', 'stop', '{}', null, now())`,
      [`msg_${n}`, n, former.encrypt(`text ${n}`, 'assist-session/ses_1')],
    )
  }
  for (const id of ['a', 'b']) {
    await bank.rows(
      `insert into assist.tool_call (tool_call_id, session_id, name, args, arguments_hash, state,
         is_tainted, requested_at, result, version)
       values ($1, 'ses_1', 'get_balance', $2, 'h', 'executed', false, now(), $3, 1)`,
      [`call_${id}`, ...['args', 'result'].map((name) => toolCallText(id, name))],
    )
  }
})
afterAll(() => bank.drop())

const messages = 5
const endpointColumns = {
  endpoint_id: 'whk_1',
  client_id: 'c',
  url: 'https://a.example',
  description: null,
  status: 'enabled',
  after_position: 0,
  failures: 0,
  content_hash: '',
  version: 1,
  created_at: '2026-01-01',
  updated_at: '2026-01-01',
}
const toolCallText = (id: string, name: string) =>
  former.encrypt(JSON.stringify({ [name]: id }), 'assist-session/ses_1')

const withVault = (vault: Bank['vault']): Bank => ({ ...bank.bank, vault })
const contentsWith = async (vault: Bank['vault']) => {
  const context = bankContext(withVault(vault))
  const calls = await listToolCalls(context, 'ses_1')
  return [
    ...(await listMessages(context, 'ses_1', -1, 100)).map(({ content }) => content),
    ...calls.map(({ args, result }) => ({ ...args, ...result })),
  ]
}
const original = [
  ...Array.from({ length: messages }, (_, n) => `text ${n}`),
  { args: 'a', result: 'a' },
  { args: 'b', result: 'b' },
]
const progress = () =>
  bank.rows(
    `select table_name as name, target, row_count::int as count, finished_at is not null as done
     from kernel.encryption_progress where row_count > 0 order by 1`,
  )

test('texts of an earlier version are read, although they are bound to their session only', async () => {
  expect(await contentsWith(former)).toEqual(original)
  expect(await contentsWith(rotated)).toEqual(original)
})

test('of processes that work at the same time, one works on a column, and each text is done once', async () => {
  const other = bank.another()
  const read = await Promise.all(
    [bank.bank, other.bank].flatMap((each) =>
      Array.from({ length: 3 }, () =>
        reencryptBatch({ ...each, vault: rotated }, messageContent, 2),
      ),
    ),
  )
  // Each batch continues after the last one; none of the five rows is read twice.
  expect(read.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(messages)
  await reencrypt.run(bankContext(withVault(rotated)))
  await reencrypt.run(bankContext(withVault(rotated)))
  const [first] = (await progress()).filter(({ name }) => name === 'vault assist.message.content')
  const target = `${rotated.currentKeyId}/1`
  expect(first).toEqual({ name: first!['name'], target, count: messages, done: true })
})

test('after the job, the former key is not needed for any text', async () => {
  expect((await progress()).every(({ done }) => done)).toBe(true)
  expect(await contentsWith(later)).toEqual(original)
  const [endpoint] = await bank.rows('select secrets from events.endpoint')
  const { encrypted } = endpoint!['secrets'][0] as { encrypted: string }
  expect(decryptIn(later, endpointSecrets, encrypted, { endpoint_id: 'whk_1' })).toBe('whsec_1')
  expect(vaultColumns()).toHaveLength(5)
})

test('a second pass, an hour later, finds what another process wrote with the former key', async () => {
  const row = { message_id: 'msg_0', session_id: 'ses_1' }
  await bank.rows("update assist.message set content = $1 where message_id = 'msg_0'", [
    encryptIn(former, messageContent, 'text 0', row),
  ])
  await reencrypt.run(bankContext(withVault(rotated)))
  await expect(contentsWith(later)).rejects.toThrow('unknown key')
  await bank.rows("update kernel.encryption_progress set finished_at = now() - interval '2 hours'")
  await reencrypt.run(bankContext(withVault(rotated)))
  expect(await contentsWith(later)).toEqual(original)
  const targets = (await progress()).map(({ target }) => target)
  expect(new Set(targets)).toEqual(new Set([`${rotated.currentKeyId}/2`]))
  expect(await reencrypt.run(bankContext(withVault(rotated)))).toBe(0)
})

test.each([
  [
    'two messages of a session',
    `update assist.message m set content = o.content from assist.message o
     where m.message_id = 'msg_1' and o.message_id = 'msg_2'`,
  ],
  [
    'two tool calls',
    `update assist.tool_call t set args = o.args from assist.tool_call o
     where t.tool_call_id = 'call_a' and o.tool_call_id = 'call_b'`,
  ],
  [
    'two columns of a tool call',
    "update assist.tool_call set args = result where tool_call_id = 'call_a'",
  ],
])('a text that was copied between %s is refused', async (_, sql) => {
  const before = await bank.rows(
    `select message_id as id, content as text from assist.message where message_id = 'msg_1'
     union all select 'call_a', args from assist.tool_call where tool_call_id = 'call_a'`,
  )
  await bank.rows(sql)
  await expect(contentsWith(rotated)).rejects.toThrow()
  for (const { id, text } of before) {
    await bank.rows('update assist.message set content = $2 where message_id = $1', [id, text])
    await bank.rows('update assist.tool_call set args = $2 where tool_call_id = $1', [id, text])
  }
  expect(await contentsWith(rotated)).toEqual(original)
  expect(toolCallArgs.place).not.toContain('session')
})

test('a text that cannot be decrypted stops its own column only', async () => {
  const next = createVault(ringOf('root-3', 'root-2'))
  const broken = "update assist.message set content = 'unreadable' where message_id = 'msg_1'"
  await bank.rows(broken)
  const failing = { ...bank.bank, vault: next, log: { ...bank.bank.log, error: () => undefined } }
  await reencrypt.run(bankContext(failing as unknown as Bank)).catch(() => undefined)
  const unfinished = (await progress()).filter(({ target }) => target !== `${next.currentKeyId}/1`)
  expect(unfinished.map(({ name }) => name)).toEqual(['vault assist.message.content'])
})
