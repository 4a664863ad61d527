import type { Context } from '../../_kernel/context.ts'
import { readRows } from '../../_kernel/read-rows.ts'

/** A LIKE pattern for texts with this prefix; `%` and `_` are escaped. */
const beginning = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Matches when every word is a prefix of the given or family name, when the whole text is a prefix
 * of a name, or when it equals an address. The longest word is matched by an index, the others
 * filter its result. Only the database lower-cases texts, because its rules differ from
 * JavaScript's.
 */
const searchSql = `
  select p.party_id as "partyId" from parties.party p
  where (
    (lower(p.given_name) like lower($2) or lower(p.family_name) like lower($2))
      and not exists (select from unnest($3::text[]) w
        where lower(p.given_name) not like lower(w) and lower(p.family_name) not like lower(w))
    or lower(p.given_name) like lower($1) or lower(p.family_name) like lower($1)
    or lower(p.organisation_name) like lower($1)
    or p.contact_points @> $4::jsonb
  )
  and ($5::text is null or p.party_id = $5)
  and ($6::timestamptz is null or (p.created_at, p.party_id) > ($6, $7))
  order by p.created_at, p.party_id limit $8`

/**
 * The ids of parties whose names start with the words, in any order and letter case, or that have
 * this address; in the order of their creation. A delegated user finds only their own party.
 */
export async function findPartyIds(
  context: Context,
  search: string,
  after: string[] | null,
  take: number,
): Promise<string[]> {
  const sought = search.trim()
  const words = sought.split(/\s+/)
  const longest = words.reduce((one, other) => (other.length > one.length ? other : one))
  const rows = await readRows<{ partyId: string }>(context.bank, searchSql, [
    beginning(sought),
    beginning(longest),
    words.map(beginning),
    JSON.stringify([{ address: sought }]),
    context.caller.partyId,
    after?.[0] ?? null,
    after?.[1] ?? null,
    take,
  ])
  return rows.map(({ partyId }) => partyId)
}
