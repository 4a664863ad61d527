/** An account is closed in another process while its interest positions are followed. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bankContext } from '../../../kernel/work/worker.ts'
import { command } from '../../../kernel/writing/command.ts'
import { enroll } from '../../../subgraphs/interest/commands/enroll.ts'
import { decideFollowing } from '../../../subgraphs/interest/commands/follow-overdrafts.ts'
import { interruptRead } from '../../kit/interrupted.ts'
import { anAccount, anInterestBank, aProduct, start, type InterestBank } from './kit.ts'

let bank: InterestBank
beforeAll(async () => {
  bank = await anInterestBank()
  bank.clock.set(start)
})
afterAll(() => bank.drop())

const follow = (arrangementId: string) =>
  command<void>(bankContext(bank.bank), 'follow', { arrangementId }, async () => ({
    result: undefined,
    ...(await decideFollowing(bankContext(bank.bank), [arrangementId], new Set([arrangementId]))),
  }))

test.each([
  { model: 'interestPosition', when: 'before' },
  { model: 'interestPosition', when: 'after' },
  { model: 'interestOverdraftPosition', when: 'before' },
  { model: 'interestOverdraftPosition', when: 'after' },
] as const)('the end is kept in $model if it comes $when its read', async ({ model, when }) => {
  const arrangementId = await anAccount(bank, await aProduct(bank), '0.00')
  await bank.follow()
  await follow(arrangementId)
  const close = async () => {
    for (const name of ['requestAccountArrangementClosure', 'closeAccountArrangement']) {
      await bank.act(`mutation { ${name}(arrangementId: "${arrangementId}") { state } }`)
    }
    await bank.follow()
    await follow(arrangementId)
  }
  interruptRead(bank.bank, model, close, when)
  await (model === 'interestPosition'
    ? enroll(bankContext(bank.bank), arrangementId)
    : follow(arrangementId))
  const table = model === 'interestPosition' ? 'position' : 'overdraft_position'
  const positions = await bank.rows(
    `select is_ended as "isEnded" from interest.${table} where arrangement_id = $1`,
    [arrangementId],
  )
  expect(positions).toEqual([{ isEnded: true }])
})
