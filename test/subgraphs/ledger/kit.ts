import { sealJournal } from '../../../subgraphs/_ledger/seal.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'

/** Gives every event its position and seals the journal up to the last. */
export async function sealAll(bank: RunningSubgraph): Promise<void> {
  for (;;) {
    const [told] = await bank.rows('select kernel.sequence_events(1000) as n')
    if (Number(told!['n']) === 0) break
  }
  while ((await sealJournal(bank.bank.pool)) > 0);
}
