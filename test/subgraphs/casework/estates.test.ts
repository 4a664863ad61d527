import { afterAll, beforeAll, expect, test } from 'vitest'
import { bank, openBank } from './kit.ts'
import { bankContext } from '../../../kernel/work/worker.ts'
import { openEstateCases } from '../../../subgraphs/casework/workers/estate.ts'

beforeAll(openBank)
afterAll(() => bank.drop())

test('opens one estate case for a death, even when its event is processed twice', async () => {
  await bank.rows(
    `insert into kernel.event (position, event_id, type, subject, time, data, parties, correlation_id, actor, sequence)
     values (7, 'evt_death', 'parties.party.deceased', 'party/pty_ada', now(), '{"partyId": "pty_ada"}',
       '{pty_ada}', 'test', 'test', 1)`,
  )
  const run = () => openEstateCases.run(bankContext(bank.bank))
  expect(await run()).toBe(1)
  expect(await run()).toBe(0)
  await bank.rows(`delete from kernel.consumer where name = 'casework.open-estate-cases'`)
  expect(await run()).toBe(1)
  const { data, errors } = await bank.execute(
    '{ cases(partyId: "pty_ada") { nodes { caseId caseType subjects status } } }',
  )
  expect(errors).toEqual([])
  expect(data.cases.nodes).toEqual([
    { caseId: 'case_death', caseType: 'ESTATE', subjects: ['party/pty_ada'], status: 'OPEN' },
  ])
})
