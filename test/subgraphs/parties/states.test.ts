import {
  PartyStatus,
  CustomerStatus,
  KycState,
  AgreementStatus,
} from '../../../subgraphs/parties/model/enumerations.ts'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { EventRow } from '../../../kernel/events/events.ts'

import { aPartiesBank, unique, type PartiesBank } from './kit.ts'

let bank: PartiesBank
beforeAll(async () => {
  bank = await aPartiesBank()
})
afterAll(() => bank.drop())

describe('commands by state', () => {
  interface Command {
    document: string
    /** The states in which it is allowed, and what they become. */
    from: Record<string, string>
  }
  const command = (call: string, from: Record<string, string>): Command => ({
    document: `mutation ($id: ID!) { ${call} { __typename } }`,
    from,
  })

  async function hold(
    { document, from }: Command,
    put: { id: string; table: string; key: string; column: string; state: string; subject: string },
  ) {
    const { id, table, key, column, state, subject } = put
    const set = `update parties.${table} set ${column} = $1 where ${key} = $2`
    await bank.rows(set, [state, id])
    const before = await bank.everything()
    const spy = vi.spyOn(bank.bank.commits, 'commit')
    const { code, errors } = await bank.execute(document, { id }, { idempotencyKey: unique('key') })
    const after = await bank.everything()
    const [row] = await bank.rows(`select * from parties.${table} where ${key} = $1`, [id])
    const next = from[state]
    if (next) {
      expect(errors).toEqual([])
      expect(row![column]).toBe(next)
      expect(after.events).toHaveLength(before.events.length + 1)
      expect(after.events.at(-1)!.subject).toBe(subject)
      const { events } = spy.mock.lastCall![0]
      const last = (JSON.parse(events!.json) as EventRow[]).at(-1)!
      expect(last.subject_version).toBe(row!['version'])
      expect(row!['updated_at']).toEqual(bank.bank.now())
    } else {
      expect(code).toBe('INVALID_STATE_TRANSITION')
      expect(errors[0]!.extensions).toMatchObject({ currentState: state, resourceId: id })
      expect(after).toEqual(before)
    }
  }

  const partyCommands = [
    command('recordDeath(partyId: $id, diedOn: "2026-03-01")', { active: 'deceased' }),
    command('closeParty(partyId: $id)', { active: 'closed', deceased: 'closed' }),
  ]
  test.each(partyCommands)(
    'makes its transitions and is rejected in other states: $document',
    async (each) => {
      for (const state of PartyStatus.values) {
        const id = await bank.aParty()
        const where = { table: 'party', key: 'party_id', column: 'status', subject: `party/${id}` }
        await hold(each, { id, state, ...where })
      }
    },
  )

  const customerCommands = [
    command('activateCustomer(customerId: $id)', { prospect: 'active' }),
    command('suspendCustomer(customerId: $id, reason: "why")', { active: 'suspended' }),
    command('reactivateCustomer(customerId: $id)', { suspended: 'active' }),
    command('closeCustomer(customerId: $id)', {
      prospect: 'closed',
      active: 'closed',
      suspended: 'closed',
    }),
  ]
  test.each(customerCommands)(
    'makes its transitions and is rejected in other states: $document',
    async (each) => {
      const partyId = await bank.aParty()
      for (const state of CustomerStatus.values) {
        const id = await bank.aCustomer(partyId)
        const good = `update parties.customer set kyc_state = 'passed', kyc_expires_on = '2030-01-01'`
        await bank.rows(`${good} where customer_id = $1`, [id])
        const where = { table: 'customer', key: 'customer_id', column: 'status' }
        await hold(each, { id, state, subject: `customer/${id}`, ...where })
      }
    },
  )

  const kycCommands = [
    command('startKyc(customerId: $id)', {
      'not-started': 'in-progress',
      failed: 'in-progress',
      expired: 'in-progress',
    }),
    command('passKyc(customerId: $id, expiresOn: "2027-01-01")', { 'in-progress': 'passed' }),
    command('failKyc(customerId: $id, reason: "why")', { 'in-progress': 'failed' }),
  ]
  test.each(kycCommands)(
    'makes its transitions and is rejected in other states: $document',
    async (each) => {
      const partyId = await bank.aParty()
      for (const state of KycState.values) {
        const id = await bank.aCustomer(partyId)
        const where = { table: 'customer', key: 'customer_id', column: 'kyc_state' }
        await hold(each, { id, state, subject: `customer/${id}`, ...where })
      }
    },
  )

  const agreementCommands = [
    command('sendAgreementForSignature(agreementId: $id)', { draft: 'pending-signature' }),
    command('signAgreement(agreementId: $id)', { 'pending-signature': 'active' }),
    command('cancelAgreement(agreementId: $id)', {
      draft: 'cancelled',
      'pending-signature': 'cancelled',
    }),
    command('suspendAgreement(agreementId: $id)', { active: 'suspended' }),
    command('resumeAgreement(agreementId: $id)', { suspended: 'active' }),
    command('terminateAgreement(agreementId: $id, reason: "why")', {
      active: 'terminated',
      suspended: 'terminated',
    }),
  ]
  test.each(agreementCommands)(
    'makes its transitions and is rejected in other states: $document',
    async (each) => {
      const partyId = await bank.aParty()
      for (const state of AgreementStatus.values) {
        const id = await bank.anAgreement(partyId)
        const where = { table: 'agreement', key: 'agreement_id', column: 'status' }
        await hold(each, { id, state, subject: `agreement/${id}`, ...where })
      }
    },
  )
})
