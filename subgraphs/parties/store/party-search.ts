import type { Context } from '../../../kernel/environment/context.ts'
import { readRows } from '../../../kernel/database/read-rows.ts'

/** Returns the LIKE pattern for texts with a prefix, with escaped wildcards. */
const prefixPattern = (text: string) => `${text.replaceAll(/[\\%_]/g, '\\$&')}%`

/**
 * Finds a party if, for every word of the search, the given or family name begins with that word,
 * if a name begins with the whole text, or if an address equals the whole text. An index finds the
 * matches of the longest word; the other words filter them. The database converts names and words
 * to lower case, because its rules differ from those of JavaScript.
 */
const searchSql = `
  select p.party_id as "partyId" from parties.party p
  where (
    (lower(p.given_name) like lower($2) or lower(p.family_name) like lower($2))
      and not exists (select from unnest($3::text[]) w
        where lower(p.given_name) not like lower(w) and lower(p.family_name) not like lower(w))
    or lower(p.given_name) like lower($1) or lower(p.family_name) like lower($1)
    or lower(p.organization_name) like lower($1)
    or p.contact_points @> $4::jsonb
  )
  and ($5::text is null or p.party_id = $5)
  and ($6::timestamptz is null or (p.created_at, p.party_id) > ($6, $7))
  order by p.created_at, p.party_id limit $8`

/**
 * Returns the IDs of parties whose names begin with the words of the search, in any order and
 * letter case, or that have the text as an address. The oldest party is first. A delegated user
 * finds only the user's own party.
 */
export async function findPartyIds(
  context: Context,
  search: string,
  after: string[] | null,
  take: number,
): Promise<string[]> {
  const text = search.trim()
  const words = text.split(/\s+/)
  const indexedWord = words.reduce((indexed, word) =>
    word.length > indexed.length ? word : indexed,
  )
  const rows = await readRows<{ partyId: string }>(context.bank, searchSql, [
    prefixPattern(text),
    prefixPattern(indexedWord),
    words.map(prefixPattern),
    JSON.stringify([{ address: text }]),
    context.caller.partyId,
    after?.[0] ?? null,
    after?.[1] ?? null,
    take,
  ])
  return rows.map(({ partyId }) => partyId)
}
