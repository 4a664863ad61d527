import type pg from 'pg'
import { expect } from 'vitest'
import { writeCheckpoints } from '../../../ledger/checkpoints.ts'
import { eventually } from '../../kit/eventually.ts'
import type { RunningSubgraph } from '../../kit/subgraph.ts'
import { anAccount, eur, pay, post } from '../payments/kit.ts'

/** Gives every event its position and writes checkpoints up to the last line of the journal. */
export async function writeAllCheckpoints(bank: RunningSubgraph): Promise<void> {
  for (;;) {
    const [event] = await bank.rows('select kernel.sequence_events(1000) as n')
    if (Number(event!['n']) === 0) break
  }
  while ((await writeCheckpoints(bank.bank.pool)) > 0);
}

/** Some of everything on three accounts: all types, a batch, every authorization state, two currencies, rejections. */
export async function aBusyDay(bank: RunningSubgraph, name: string): Promise<string[]> {
  const [ada, grace, usd] = ['ada', 'grace', 'usd'].map((who) => `arr_${name}-${who}`) as [
    string,
    string,
    string,
  ]
  await anAccount(bank, ada)
  await anAccount(bank, grace, { overdraftLimitMinor: 5_000n })
  await anAccount(bank, usd, { currency: 'USD' })
  const authorize = (id: string, chain: string, amount: string, direction = 'OUT') => ({
    type: `${direction}BOUND_AUTHORIZATION`,
    arrangementId: id,
    clientTransactionId: `${name}-${chain}`,
    amount: eur(amount),
  })
  const on = (chain: string) => ({ clientTransactionId: `${name}-${chain}` })
  const transition = { debtorArrangementId: ada, creditorArrangementId: grace, amount: eur('5.00') }
  const days = [
    pay(ada, '100.00'),
    { arrangementId: grace, direction: 'OUT', amount: eur('20.00') },
    transition,
    { instructions: [transition, pay(grace, '3.00'), transition] },
    authorize(ada, 'open', '10.00'),
    authorize(ada, 'settled', '10.00'),
    { ...on('settled'), type: 'SETTLEMENT' },
    authorize(ada, 'released', '10.00'),
    { ...on('released'), type: 'AUTHORIZATION_ADJUSTMENT', amount: eur('1.00') },
    { ...on('released'), type: 'RELEASE' },
    authorize(grace, 'coming', '7.00', 'IN'),
    { ...on('coming'), type: 'SETTLEMENT', amount: eur('2.00') },
    {
      ...transition,
      creditorArrangementId: usd,
      creditorAmount: { amount: '6.00', currency: 'USD' },
      fxOverrideReason: 'A test.',
    },
    {
      entries: [
        { account: ada, side: 'DEBIT', amount: eur('2.00') },
        { account: 'fee-income/EUR', side: 'CREDIT', amount: eur('2.00') },
      ],
    },
  ]
  const ids: string[] = []
  for (const input of days) {
    const { data, errors } = await post(bank, input)
    expect(errors).toEqual([])
    ids.push(data.createPostingInstruction.postingInstructionId)
  }
  expect((await post(bank, { reversesId: ids[2]! })).errors).toEqual([])
  expect((await post(bank, { ...transition, amount: eur('999.00') })).code).toBe(
    'INSUFFICIENT_FUNDS',
  )
  return ids
}

/** The balances of accounts: id, committed, pending in, pending out. */
export async function balancesOf(bank: RunningSubgraph, ids: readonly string[]): Promise<string[]> {
  const rows = await bank.rows(
    `select account_id || ' ' || committed_credit - committed_debit || ' ' || pending_in_credit - pending_in_debit
      || ' ' || pending_out_debit - pending_out_credit as text
    from ledger.current_balance where account_id = any($1) order by array_position($1, account_id)`,
    [ids],
  )
  return rows.map(({ text }) => text as string)
}

/** Runs work as the owner of the database, bypassing every trigger, and rolls it back. */
export async function inVain<Found>(
  bank: RunningSubgraph,
  work: (client: pg.PoolClient) => Promise<Found>,
): Promise<Found> {
  const client = await bank.bank.pool.connect()
  try {
    await client.query('begin')
    await client.query('set local session_replication_role = replica')
    return await work(client)
  } finally {
    await client.query('rollback')
    client.release()
  }
}

/** Aggregates all entries of accumulating accounts, however many transactions are still running. */
export async function aggregateAll(bank: RunningSubgraph): Promise<void> {
  await eventually(async () => {
    await bank.rows('select ledger.aggregate_accumulating()')
    const [row] = await bank.rows(
      'select up_to = (select last_value from ledger.deferred_sequence) as done from ledger.aggregation',
    )
    return row!['done'] as boolean
  })
}
