import { afterAll, beforeAll, expect, test } from 'vitest'
import { events } from '../../../subgraphs/events/index.ts'
import { aCaller, aSubgraph, employee, type RunningSubgraph } from '../../kit/subgraph.ts'

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(events)
  await bank.rows(
    `insert into kernel.event (position, event_id, type, subject, sequence, time, data, parties, correlation_id, actor)
     select n, 'evt_' || n, 'tests.actors.acted', 'thing/1', n, now(), '{}', array['pty_ada', 'pty_grace'], 'req', actor
     from unnest(array['liam', 'pty_ada', 'pty_grace']) with ordinality as of_(actor, n)`,
    [],
  )
  await bank.rows('update kernel.head set position = 3', [])
})
afterAll(() => bank.drop())

/** Who acted, in a page of events and in single events, which subscriptions read as well. */
async function actorsFor(caller: ReturnType<typeof aCaller>) {
  const query = `{ page: businessEvents { nodes { actor } }
    one: businessEvent(eventId: "evt_1") { actor } two: businessEvent(eventId: "evt_2") { actor } }`
  const { data, errors } = await bank.execute(query, {}, { caller })
  expect(errors).toEqual([])
  const listed = data.page.nodes.map(({ actor }: { actor: string | null }) => actor)
  return [...listed, data.one.actor, data.two.actor]
}

test('events name who acted to the bank, and to delegated users only their own party', async () => {
  expect(await actorsFor(employee)).toEqual(['liam', 'pty_ada', 'pty_grace', 'liam', 'pty_ada'])
  const ada = aCaller({ partyId: 'pty_ada', subject: 'user_of_ada' })
  expect(await actorsFor(ada)).toEqual([null, 'pty_ada', null, null, 'pty_ada'])
})
