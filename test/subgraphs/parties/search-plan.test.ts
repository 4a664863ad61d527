/** The search for parties uses indexes, for plain names and for encrypted ones. */
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchSql } from '../../../subgraphs/parties/store/party-search.ts'
import { freshDatabase, type FreshDatabase } from '../../kit/database.ts'

let database: FreshDatabase
let client: pg.Client
beforeAll(async () => {
  database = await freshDatabase()
  client = new pg.Client({ connectionString: database.url })
  await client.connect()
  // 20,000 parties, every other one encrypted, as the blind indexes find them.
  await client.query(`
    insert into parties.party (party_id, kind, given_name, family_name, contact_points, language, time_zone, marketing_opt_out,
      marketing_opt_out_channels, suppressed_channels, status,
      content_hash, version, created_at, updated_at, given_name_index, family_name_index,
      contact_points_index)
    select 'pty_' || n, 'person', case n % 2 when 0 then 'Name' || n else 'x' end,
      case n % 2 when 0 then 'Family' || n else 'x' end,
      case n % 2 when 0 then jsonb_build_array(jsonb_build_object('address', n || '@x.example'))
        else '[]' end, 'en', 'UTC', false, '{}', '{}', 'active', '', 1, now(), now(),
      case n % 2 when 1 then array['g', 'g' || n] end, case n % 2 when 1 then array['f' || n] end,
      case n % 2 when 1 then array['a' || n] end
    from generate_series(1, 20000) n`)
  await client.query('vacuum analyze parties.party')
})
afterAll(async () => {
  await client.end()
  await database.drop()
})

async function explained(terms: { text: string; words: string[]; hashes: string[] | null }) {
  const { text, words, hashes } = terms
  const values = [
    `${text}%`,
    `${words[0]!}%`,
    words.map((word) => `${word}%`),
    JSON.stringify([{ address: text }]),
    null,
    null,
    null,
    20,
    hashes,
    hashes?.[0] ?? null,
    hashes?.[0] ?? null,
    hashes?.at(-1) ?? null,
  ]
  const { rows } = await client.query(`explain (analyze, format json) ${searchSql}`, values)
  const plan = JSON.stringify(rows[0]['QUERY PLAN'])
  return { plan, found: rows[0]['QUERY PLAN'][0].Plan['Actual Rows'] as number }
}

test.each([
  ['plain names without encryption', { text: 'name1000', words: ['name1000'], hashes: null }, 6],
  ['plain and encrypted names', { text: 'name100', words: ['name100'], hashes: ['g101'] }, 7],
  ['an encrypted address', { text: 'nobody', words: ['nobody'], hashes: ['none', 'a55'] }, 1],
] as const)('finds %s without reading the table', async (_, { text, words, hashes }, atLeast) => {
  const { plan, found } = await explained({
    text,
    words: [...words],
    hashes: hashes && [...hashes],
  })
  expect(plan).not.toContain('"Seq Scan"')
  expect(plan).toContain('party_given_name_idx')
  expect(plan.includes('party_given_name_index_idx')).toBe(hashes !== null)
  expect(found).toBeGreaterThanOrEqual(Math.min(atLeast, 20))
})
