import { indexedPrefix } from '../../../kernel/domain/encrypted-columns.ts'
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
export const searchSql = `
  select p.party_id as "partyId" from parties.party p
  where (
    (lower(p.given_name) like lower($2) or lower(p.family_name) like lower($2))
      and not exists (select from unnest($3::text[]) w
        where lower(p.given_name) not like lower(w) and lower(p.family_name) not like lower(w))
    or lower(p.given_name) like lower($1) or lower(p.family_name) like lower($1)
    or lower(p.organization_name) like lower($1)
    or p.contact_points @> $4::jsonb
    or $9::text[] is not null and (
      (p.given_name_index @> array[$10] or p.family_name_index @> array[$10])
        and not exists (select from unnest($9::text[]) w
          where not coalesce(w = any(p.given_name_index), false)
            and not coalesce(w = any(p.family_name_index), false))
      or p.given_name_index @> array[$11] or p.family_name_index @> array[$11]
      or p.organization_name_index @> array[$11]
      or p.contact_points_index @> array[$12]
    )
  )
  and ($5::text is null or p.party_id = $5)
  and ($6::timestamptz is null or (p.created_at, p.party_id) > ($6, $7))
  order by p.created_at, p.party_id limit $8`

/**
 * Returns the IDs of parties whose names begin with the words of the search, in any order and
 * letter case, or that have the text as an address. Encrypted values are found by their blind
 * indexes, and values that are not encrypted yet by their texts. The oldest party is first. A
 * delegated user finds only the user's own party.
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
    ...indexHashes(context, text, words, indexedWord),
  ])
  return rows.map(({ partyId }) => partyId)
}

/** Returns the hashes of the words, of the indexed word, of the whole text, and of an address. */
function indexHashes(
  { bank }: Context,
  text: string,
  words: readonly string[],
  indexedWord: string,
): (string | null | string[])[] {
  const hashOf = (term: string) => bank.cipher.indexHash('parties.party', term)
  const prefixHash = (prefix: string) => hashOf(indexedPrefix(prefix))
  const hashes = words.map(prefixHash).filter((hash) => hash !== null)
  return [
    hashes.length === 0 ? null : hashes,
    prefixHash(indexedWord),
    prefixHash(text),
    hashOf(text),
  ]
}
