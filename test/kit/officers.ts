import type { Pool } from 'pg'
import { seedPrincipal } from '../../kernel/authorization/principals.ts'

/** People in whose names the clients of tests record credit decisions. */
const officers = ['officer_1', 'officer_2', 'officer_mary', 'aisha']

/** The clients of tests; as the sandbox's own client, they have authority of their own. */
const clients = ['test-client', 'bankgraph-test']

/** Registers the clients of tests to act for officers, who may decide up to ten million euros. */
export async function seedOfficers(pool: Pool): Promise<void> {
  for (const clientId of ['test-client', 'bankgraph-test'])
    await seedPrincipal(pool, clientId, officers)
  await pool.query(
    `insert into origination.credit_authority (decider, currency, limit_minor, granted_by, granted_at)
     select decider, currency, 1000000000, 'test', now()
     from unnest($1::text[]) decider, unnest('{EUR,USD,GBP,JPY}'::text[]) currency on conflict do nothing`,
    [[...officers, ...clients]],
  )
}
