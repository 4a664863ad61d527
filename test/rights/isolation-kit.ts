import { createHash } from 'node:crypto'
import { scopesByRole, scopesOf } from '../../subgraphs/staff/domain/roles.ts'
import type { StaffRole } from '../../subgraphs/staff/model/employee.ts'
import type { Platform } from '../kit/platform.ts'

/** Somebody who sends requests, with a token or without one. */
export interface Principal {
  name: string
  token: string | null
}

/** Machines, customers and employees with different rights, and callers that are rejected. */
export function everyPrincipal(bank: Platform): Principal[] {
  const staff = Object.keys(scopesByRole).map((role) => ({
    name: `employee, ${role}`,
    token: bank.token({ subject: `emp_${role}`, scopes: scopesOf([role as StaffRole]) }),
  }))
  const expired = bank.forge({ exp: Math.floor(Date.now() / 1000) - 60 })
  return [
    { name: 'machine', token: bank.token() },
    { name: 'another machine', token: bank.token({ clientId: 'other' }) },
    { name: 'machine for accounts', token: bank.token({ scopes: ['accounts:read'] }) },
    { name: 'machine for parties', token: bank.token({ scopes: ['parties:read', 'events:read'] }) },
    { name: 'machine without scopes', token: bank.token({ scopes: [] }) },
    { name: 'Ada', token: bank.token({ partyId: 'pty_ada' }) },
    { name: 'Ada in another app', token: bank.token({ partyId: 'pty_ada', clientId: 'app' }) },
    {
      name: 'Ada, accounts only',
      token: bank.token({ partyId: 'pty_ada', scopes: ['accounts:read', 'events:read'] }),
    },
    { name: 'Grace', token: bank.token({ partyId: 'pty_grace' }) },
    { name: 'a party that does not exist', token: bank.token({ partyId: 'pty_nobody' }) },
    ...staff,
    { name: 'expired token', token: expired },
    { name: 'unsigned token', token: `${bank.token().split('.').slice(0, 2).join('.')}.AAAA` },
    { name: 'no token', token: null },
  ]
}

/** A request that all principals send in the same words. */
export interface SharedRequest {
  name: string
  send(principal: Principal, headers?: Record<string, string>): Promise<Response>
}

/** What a principal gets. */
export interface Seen {
  status: number
  body: string
  etag: string | null
}

const documents = {
  own: '{ me { partyId displayName contactPoints { address } } }',
  party: `query ($id: ID!) { party(partyId: $id) { partyId displayName
    accounts { arrangementId balances { available } }
    customers { customerId loanApplications { nodes { applicationId } }
      facilities { nodes { facilityId outstandingPrincipal { amount } schedule { dueDate } } } }
    agreements { nodes { agreementId status } } documents { nodes { documentId legalHold { reason } } }
    notifications { nodes { notificationId renderedBody } }
    cases { nodes { caseId timeline { nodes { kind by text } } documents { nodes { title } } } } } }`,
  account: `query ($account: ID!) { accountArrangement(arrangementId: $account) { arrangementId
    party { displayName } balances { available committed } entries(first: 3) { nodes { amount } }
    transactions(first: 3) { nodes { amount { amount } counterparty { name } } } } }`,
  lists: `{ accountArrangements { nodes { arrangementId } } notifications { nodes { notificationId } }
    parties { nodes { partyId displayName } } facilities { nodes { facilityId } }
    cases { nodes { caseId assignee { agentId name } } } collaterals { nodes { collateralId } }
    productOffers { nodes { offerId } } employees { nodes { employeeId username } } }`,
  loan: `query ($loan: ID!) { loan(loanId: $loan) { loanId outstandingPrincipal { amount }
    customer { party { displayName } } repayments { nodes { repaymentId } } } }`,
}
const variables = { id: 'pty_ada', account: 'arr_ada_current', loan: 'loan_ada' }

/**
 * Reads over every way into the bank, with the same IDs: the graph by POST, by GET and with the hash
 * of a persisted query, and the documented operations.
 */
export function sharedRequests({ url }: Platform): SharedRequest[] {
  const send = (path: string, { token }: Principal, headers: object = {}, body?: object) =>
    fetch(url + path, {
      method: body ? 'POST' : 'GET',
      headers: {
        ...(token !== null && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        'apollo-require-preflight': 'true',
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    })
  const inGraph = Object.entries(documents).flatMap(([name, query]): SharedRequest[] => {
    const sha256Hash = createHash('sha256').update(query).digest('hex')
    const extensions = { persistedQuery: { version: 1, sha256Hash } }
    const inUrl = (parameters: Record<string, object | string>) =>
      `/graphql?${new URLSearchParams(
        Object.entries(parameters).map(([key, value]) => [
          key,
          typeof value === 'string' ? value : JSON.stringify(value),
        ]),
      )}`
    return [
      {
        name: `${name} by POST`,
        send: (principal, headers) =>
          send('/graphql', principal, headers, { query, variables, extensions }),
      },
      {
        name: `${name} by GET`,
        send: (principal, headers) => send(inUrl({ query, variables }), principal, headers),
      },
      {
        name: `${name} by hash`,
        send: (principal, headers) => send(inUrl({ extensions, variables }), principal, headers),
      },
    ]
  })
  const overRest = [
    'accounts',
    'accounts?customerId=cus_ada',
    'agreements?partyId=pty_ada',
    'agreements',
    'product-offers',
    'fee-runs',
  ].map((path): SharedRequest => ({
    name: `GET /${path}`,
    send: (principal, headers) => send(`/v1/${path}`, principal, headers),
  }))
  return [...inGraph, ...overRest]
}

/** Reads an answer, without the parts that differ each time. */
export async function seen(answer: Response): Promise<Seen> {
  const text = await answer.text()
  const body = text
    .replaceAll(/"requestId":"[^"]*"/g, '"requestId":""')
    .replaceAll(/"position":"\d+"}}$/g, '"position":""}}')
    .replaceAll(/"nextPageToken":"[^"]*"/g, '"nextPageToken":""')
  // The tag of an answer with the ID of its request differs each time, too.
  const etag = text.includes('"requestId":') ? null : answer.headers.get('etag')
  return { status: answer.status, body, etag }
}
