/** A fact that a command was decided on, and that it does not change itself, must still hold at the commit. */
import 'reflect-metadata'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openAccount } from '../../subgraphs/accounts/commands/open-account.ts'
import { command } from '../../kernel/writing/command.ts'
import { createContext } from '../../kernel/environment/context.ts'
import { readHeldFacts } from '../../kernel/writing/facts.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import * as collaterals from '../../subgraphs/collateral/commands/collateral.ts'
import '../../subgraphs/collateral/index.ts'
import { createDrawdown } from '../../subgraphs/lending/commands/drawdowns/drawdown.ts'
import { lending } from '../../subgraphs/lending/index.ts'
import { openFacility } from '../../subgraphs/lending/commands/facilities/open-facility.ts'
import '../../subgraphs/payments/index.ts'
import { createTransfer } from '../../subgraphs/payments/commands/transfer.ts'
import { interrupted } from '../kit/interrupted.ts'
import { aCaller, aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'
import { aLimit, opened } from './lending/facility-kit.ts'
import { anAccount } from './payments/kit.ts'

let sub: RunningSubgraph
beforeAll(async () => {
  sub = await aSubgraph(lending)
  for (const name of ['ada', 'bob']) {
    await anAccount(sub, `arr_${name}`, { overdraftLimitMinor: 10_000_000n })
    const account = { arrangementId: `arr_${name}`, partyId: `pty_${name}`, currency: 'EUR' }
    await publish(`arrangement/arr_${name}`, account)
    await publish(`party/pty_${name}`, { partyId: `pty_${name}` })
  }
})
afterAll(() => sub.drop())

const publish = (subject: string, data: object) =>
  sub.rows(
    `insert into kernel.fact values ($1, 1, $2)
     on conflict (subject) do update set version = kernel.fact.version + 1, data = excluded.data`,
    [subject, data],
  )

const outcomeOf = (answer: Promise<unknown>) =>
  answer.then(
    () => 'done',
    (error: { code?: string }) => error.code ?? error,
  )

const customer = (status: string) =>
  publish('customer/cus_ada', {
    customerId: 'cus_ada',
    partyId: 'pty_ada',
    status,
    kycState: 'passed',
    kycExpiresOn: null,
  })

test('rejects a drawdown when its collateral is released before the commit', async () => {
  await customer('active')
  await opened(sub, aLimit({ facilityId: 'fac_1', requiredCoveragePct: '100' }))
  const money = { amount: '10000.00', currency: 'EUR' }
  const context = createContext(sub.bank, aCaller(), bankContext(sub.bank).envelope)
  await collaterals.createCollateral(context, {
    collateralId: 'col_1',
    collateralType: 'cash-deposit',
    owners: [{ partyId: 'pty_ada' }],
    valuation: { marketValue: money, method: 'appraisal' },
    links: [{ facilityId: 'fac_1' }],
  } as never)
  const release = () =>
    collaterals.deallocate(context, { collateralId: 'col_1', facilityId: 'fac_1' })
  const drawdown = { facilityId: 'fac_1', amount: { amount: '10000.00' } }
  expect(await outcomeOf(createDrawdown(interrupted(sub.bank, release), drawdown as never))).toBe(
    'INSUFFICIENT_COLLATERAL',
  )
})

test('rejects the release of collateral when its facility is drawn before the commit', async () => {
  await customer('active')
  await opened(sub, aLimit({ facilityId: 'fac_2', requiredCoveragePct: '100' }))
  const money = { amount: '10000.00', currency: 'EUR' }
  const context = createContext(sub.bank, aCaller(), bankContext(sub.bank).envelope)
  await collaterals.createCollateral(context, {
    collateralId: 'col_2',
    collateralType: 'cash-deposit',
    owners: [{ partyId: 'pty_ada' }],
    valuation: { marketValue: money, method: 'appraisal' },
    links: [{ facilityId: 'fac_2' }],
  } as never)
  const draw = () =>
    createDrawdown(context, { facilityId: 'fac_2', amount: { amount: '10000.00' } } as never)
  const link = { collateralId: 'col_2', facilityId: 'fac_2' }
  expect(await outcomeOf(collaterals.deallocate(interrupted(sub.bank, draw), link))).toBe(
    'INSUFFICIENT_COLLATERAL',
  )
})

test('rejects a transfer when the entitlement behind it is revoked before the commit', async () => {
  const grants = (...provided: object[]) => publish('entitlements-of/pty_bob', { grants: provided })
  await grants({
    entitlementId: 'ent_1',
    grantorPartyId: 'pty_ada',
    resource: 'arrangement/arr_ada',
    right: 'transfer',
    validTo: null,
    limit: null,
    perTransferMinor: null,
    currency: 'EUR',
  })
  const context = interrupted(sub.bank, () => grants(), aCaller({ partyId: 'pty_bob' }))
  const transfer = createTransfer(context, {
    debtorArrangementId: 'arr_ada',
    creditorArrangementId: 'arr_bob',
    amount: { amount: '10.00', currency: 'EUR' },
  } as never)
  expect(await outcomeOf(transfer)).toBe('ARRANGEMENT_NOT_FOUND')
})

test('rejects a new account or facility when the customer is closed before the commit', async () => {
  const version = {
    version: '1',
    productClass: 'current-account',
    status: 'active',
    isOpenable: true,
    currencies: ['EUR'],
    effectiveFrom: null,
    effectiveTo: null,
    maxPerCustomer: null,
    parameters: [],
  }
  await publish('product/prd', { productId: 'prd', versions: [version] })
  const close = () => customer('closed')
  await customer('active')
  const account = openAccount(interrupted(sub.bank, close), {
    customerId: 'cus_ada',
    productId: 'prd',
  })
  expect(await outcomeOf(account)).toBe('CUSTOMER_NOT_ACTIVE')
  await customer('active')
  const limit = { amountMinor: 1_000_000n, currency: 'EUR' }
  const facility = openFacility(interrupted(sub.bank, close), {
    ...aLimit({ facilityId: 'fac_3' }),
    kind: 'revolving',
    limit,
    frequency: 'monthly',
    dayCount: 'thirty-360',
    isApprovalRequired: false,
    disburse: false,
  } as never)
  expect(await outcomeOf(facility)).toBe('CUSTOMER_NOT_ACTIVE')
})

test('decides again when a fact it read has changed, but holds no fact that it publishes itself', async () => {
  await publish('thing/1', { is: 'old' })
  await publish('thing/2', { is: 'old' })
  const seen: unknown[] = []
  const context = interrupted(sub.bank, () => publish('thing/1', { is: 'new' }))
  await command(context, 'note', {}, async () => {
    const [one, two] = await readHeldFacts(context, ['thing/1', 'thing/2'])
    seen.push(one!['is'])
    const write = { sql: 'select 1 from claim', values: [], rows: 1 }
    return { result: null, writes: [write], facts: [{ subject: 'thing/2', data: two! }] }
  })
  expect(seen).toEqual(['old', 'new'])
})

test('commits two concurrent commands that each read the fact that the other publishes', async () => {
  await publish('left', { at: 0 })
  await publish('right', { at: 0 })
  const turn = (held: string, published: string) => {
    const context = createContext(sub.bank, aCaller(), bankContext(sub.bank).envelope)
    return command(context, 'cross', {}, async () => {
      const [fact] = await readHeldFacts(context, [held])
      const write = { sql: 'select 1 from claim', values: [], rows: 1 }
      const data = { at: Number(fact!['at']) + 1 }
      return { result: data.at, writes: [write], facts: [{ subject: published, data }] }
    })
  }
  const outcomes = await Promise.all([turn('left', 'right'), turn('right', 'left')])
  // The second to commit read what the first one published.
  expect(outcomes.toSorted()).toEqual([1, 2])
})
