/** A bank with the account `arr_ada` of Ada, from which Grace and Alan may pay as well. */
import { aCaller, type RunningSubgraph } from '../../kit/subgraph.ts'
import type { Caller } from '../../../kernel/authorization/caller.ts'
import { aBankWithMoney } from './payments-kit.ts'

export const alan = aCaller({ partyId: 'pty_alan' })
export const eve = aCaller({ partyId: 'pty_eve' })

export const account = 'arr_ada'

export async function publish(bank: RunningSubgraph, subject: string, data: object): Promise<void> {
  await bank.rows(
    `insert into kernel.fact values ($1, 1, $2)
     on conflict (subject) do update set data = excluded.data, version = kernel.fact.version + 1`,
    [subject, data],
  )
}

/** Replaces the rights of a party to the account. */
export function entitle(
  bank: RunningSubgraph,
  partyId: string,
  right: 'view' | 'transfer' | null,
  limit: { amountMinor: string; currency: string } | null = null,
): Promise<void> {
  const grant = {
    entitlementId: `ent_${partyId}`,
    grantorPartyId: 'pty_ada',
    resource: `arrangement/${account}`,
    right,
    limit,
    validTo: null,
  }
  return publish(bank, `entitlements-of/${partyId}`, { grants: right ? [grant] : [] })
}

export function setRule(bank: RunningSubgraph, rule: object = {}): Promise<void> {
  return publish(bank, `signing-rule/${account}`, {
    arrangementId: account,
    signingRuleId: 'sgr_1',
    requiredSignatures: 2,
    fromMinor: null,
    signatoryPartyIds: ['pty_ada', 'pty_grace', 'pty_alan'],
    ...rule,
  })
}

export async function aBankWithSignatories(): Promise<RunningSubgraph> {
  const bank = await aBankWithMoney()
  await entitle(bank, 'pty_grace', 'transfer')
  await entitle(bank, 'pty_alan', 'transfer')
  await setRule(bank)
  return bank
}

const fields = `paymentId state reasonCode executionDate
  signing { requiredSignatures signatoryPartyIds expiresAt }
  signatures { partyId isInitiator signedAt }`

const act = (name: string) => (bank: RunningSubgraph, paymentId: string, caller: Caller) =>
  bank.execute(
    `mutation ($id: ID!) { payment: ${name}(paymentId: $id) { ${fields} } }`,
    { id: paymentId },
    { caller },
  )
export const sign = act('signPayment')
export const decline = act('declinePayment')

export async function toSign(bank: RunningSubgraph, caller?: Caller): Promise<string[]> {
  const document = '{ paymentsToSign(first: 200) { nodes { paymentId } } }'
  const { data } = await bank.execute(document, {}, caller ? { caller } : {})
  return data.paymentsToSign.nodes.map((each: any) => each.paymentId)
}

export async function signaturesOf(bank: RunningSubgraph, paymentId: string, caller: Caller) {
  const document = `query ($id: ID!) { payment(paymentId: $id) { ${fields} } }`
  return (await bank.execute(document, { id: paymentId }, { caller })).data.payment
}
