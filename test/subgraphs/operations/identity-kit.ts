import { operations } from '../../../subgraphs/operations/index.ts'
import { writeIdentityCheckpoint } from '../../../subgraphs/operations/store/identity-chain.ts'
import { aSubgraph } from '../../kit/subgraph.ts'

export type Audit = Awaited<ReturnType<typeof anAudit>>

/** A bank whose audit of identity has three checkpoints with three lines each. */
export async function anAudit() {
  const bank = await aSubgraph(operations)
  const sequence = () => bank.rows('select kernel.sequence_events(1000)')
  const chain = async () => {
    await sequence()
    while ((await writeIdentityCheckpoint(bank.bank)) > 0);
  }
  const record = (person: string) =>
    bank.bank.identities.record({
      kind: 'log-in',
      outcome: 'succeeded',
      person,
      clientId: 'web',
      address: '192.0.2.1',
      userAgent: `Browser\u0000 é ${'x'.repeat(500)}`,
      requestId: `request-${person}`,
    })
  const idOf = async (person: string): Promise<string> => {
    const sql = 'select record_id from kernel.identity_record where person = $1'
    return (await bank.rows(sql, [person]))[0]!['record_id']
  }
  for (const day of [1, 2, 3]) {
    for (const name of ['ada', 'grace', 'alan']) await record(`${name}-${day}`)
    await chain()
  }
  return { bank, sequence, chain, record, idOf }
}
