/** The most entries that are dated in one commit, so that it ends in time on a slow machine. */
export const maxEntries = 20_000

/**
 * Returns the position up to which one commit can process the event log: `end`, or the position before
 * the posting with which there would be more than `maxEntries` entries. The first posting always fits.
 * `postings` are in the order of their positions.
 */
export function reachOf(
  postings: readonly { position: string; entries: number }[],
  end: bigint,
): bigint {
  let entries = 0
  for (const [index, posting] of postings.entries()) {
    entries += posting.entries
    if (index > 0 && entries > maxEntries) return BigInt(posting.position) - 1n
  }
  return end
}
