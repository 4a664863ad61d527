import pg from 'pg'
import { checkLedger } from '../../ledger/check.ts'
import { verifyJournal } from '../../ledger/checkpoints.ts'

/** What a restored database has, and what is wrong with it. */
export interface Proof {
  database: string
  events: number
  /** The time of the last event; null without events. */
  lastEventAt: Date | null
  postings: number
  parties: number
  /** One sentence for each; empty if the database is sound. */
  findings: string[]
}

// Segments have no gaps, so an event after the last of them is in none.
const countsSql = `
  with archived as (
    select coalesce(sum(last_position - first_position + 1), 0)::int as events,
      coalesce(max(last_position), 0) as reach
    from kernel.event_segment
  )
  select archived.events + (select count(*)::int from kernel.event e where e.position > archived.reach) as events,
    greatest((select max(time) from kernel.event),
      (select max(last_time) from kernel.event_segment)) as "lastEventAt",
    greatest((select max(position) from kernel.event), archived.reach)::int as head,
    (select position::int from kernel.head) as "storedHead",
    (select count(*)::int from ledger.posting_instruction) as postings,
    (select count(*)::int from parties.party) as parties
  from archived`

/**
 * Proves a database: the invariants of the ledger, the hash chain of the journal, and the gapless
 * positions of the event log.
 */
export async function prove(url: string, database: string): Promise<Proof> {
  const pool = new pg.Pool({ connectionString: url, max: 2 })
  pool.on('error', () => undefined)
  try {
    const { rows } = await pool.query(countsSql)
    const { head, storedHead, ...counts } = rows[0]
    const findings = (await checkLedger(pool)).map(
      ({ invariant, subject, detail }) => `${invariant}: ${subject}: ${detail}.`,
    )
    const journal = await verifyJournal(pool)
    if (journal.badLine !== null) {
      findings.push(`Line ${journal.badLine} of the journal was changed: ${journal.detail}.`)
    }
    if (counts.events !== head || head !== storedHead) {
      const figures = `${counts.events} events, last position ${head}, head ${storedHead}`
      findings.push(`The event log has gaps: ${figures}.`)
    }
    return { database, ...counts, findings }
  } finally {
    await pool.end()
  }
}
