/** People and clients of a live bank. */
import { unique } from '../contract/kit.ts'
import { aBankWithAModel, type ABankWithAModel } from '../subgraphs/assist/kit.ts'

/** Runs a document; throws its errors. */
export type Act = (document: string) => Promise<any>

/** A mutation that somebody is about to send. */
export interface Prepared {
  mutation: string
  /**
   * Prepares what the mutation needs, such as a proposal, as the person who acts. Returns the
   * document of the mutation.
   */
  prepare(act: Act): Promise<string>
}

/** Declares a mutation; `prepare` returns its arguments and selection. */
export const prepared = (mutation: string, prepare: Prepared['prepare']): Prepared => ({
  mutation,
  prepare: async (act) => `mutation { ${mutation}${await prepare(act)} }`,
})

/** Creates a record by one mutation; returns its ID. */
export const create = async (act: Act, mutation: string, idField: string): Promise<string> =>
  (await act(`mutation { it: ${mutation} { ${idField} } }`)).it[idField]

/** The result of a document: the code of its error, if any, and its request ID. */
export interface Outcome {
  code: string | undefined
  detail: string | undefined
  requestId: string
}

export type PersonsBank = Awaited<ReturnType<typeof aBankOfPersons>>

/**
 * A live bank with the persons Pia, Uma, Olga and Hans. Pia owns the clients `pia-program`, which acts
 * for nobody, `pia-speaker`, which acts for Pia, and `choir-program`, which acts for Pia and Hans.
 * `uma-program` acts for Pia, but Uma owns it. The owner of `leaver-speaker` has left the bank.
 */
export async function aBankOfPersons() {
  const bank = await aBankWithAModel('live')
  const tokens = {
    pia: bank.token({ subject: 'pia', clientId: 'console-one' }),
    'pia in another app': bank.token({ subject: 'pia', clientId: 'console-two' }),
    'pia in another session': bank.token({ subject: 'pia', clientId: 'console-one' }),
    uma: bank.token({ subject: 'uma' }),
    olga: bank.token({ subject: 'olga' }),
    hans: bank.token({ subject: 'hans' }),
    'a-machine': bank.token({ clientId: 'a-machine' }),
    'pia-program': bank.token({ clientId: 'pia-program' }),
    'pia-speaker': bank.token({ clientId: 'pia-speaker' }),
    'choir-program': bank.token({ clientId: 'choir-program' }),
    'uma-program': bank.token({ clientId: 'uma-program' }),
    leaver: bank.token({ subject: 'leaver' }),
    'leaver-speaker': bank.token({ clientId: 'leaver-speaker' }),
  }
  const send = async (actor: Actor, query: string, variables = {}): Promise<Outcome> => {
    const requestId = unique('req')
    const headers = { 'x-request-id': requestId }
    const { body } = await bank.graph(query, variables, { token: tokens[actor], headers })
    const { message: detail, extensions } = body.errors?.[0] ?? {}
    return { code: extensions?.code, detail, requestId }
  }
  const act = (actor: Actor) => (document: string) =>
    bank.act(document, {}, { token: tokens[actor] })
  await registerClients(act)
  return { bank, tokens, send, act }
}

export type Actor =
  | 'pia'
  | 'pia in another app'
  | 'pia in another session'
  | 'uma'
  | 'olga'
  | 'hans'
  | 'a-machine'
  | 'pia-program'
  | 'pia-speaker'
  | 'choir-program'
  | 'uma-program'
  | 'leaver'
  | 'leaver-speaker'

async function registerClients(act: (actor: Actor) => Act): Promise<void> {
  const register = async (owner: Actor, clientId: string, actsFor: readonly string[]) => {
    const people = actsFor.map((person) => `"${person}"`).join(', ')
    await act(owner)(`mutation { registerOAuthClient(input: { clientId: "${clientId}", label: "C",
      scopes: ["fees:read"], actsFor: [${people}] }) { client { clientId } } }`)
    await act('olga')(`mutation { approveOAuthClient(clientId: "${clientId}") { clientId } }`)
  }
  await register('pia', 'pia-program', [])
  await register('pia', 'pia-speaker', ['pia'])
  await register('pia', 'choir-program', ['pia', 'hans'])
  await register('uma', 'uma-program', ['pia'])
  await register('leaver', 'leaver-speaker', ['leaver'])
  const hire = 'hireEmployee(input: { username: "leaver", name: "L", roles: [ADMINISTRATOR] })'
  const employeeId = await create(act('uma'), hire, 'employeeId')
  await act('olga')(`mutation { approveEmployee(employeeId: "${employeeId}") { status } }`)
  await act('olga')(`mutation { dismissEmployee(employeeId: "${employeeId}") { status } }`)
}

/** Who did a mutation, according to the events of the request; an authority has no event. */
export async function actorsOf(
  { bank }: ABankWithAModel,
  requestId: string,
  mutation: string,
): Promise<string[]> {
  const ofAuthority = `select granted_by as actor from origination.credit_authority
    where $1 <> '' order by granted_at desc limit 1`
  const ofEvents = `select actor from kernel.event where correlation_id = $1
    union select actor from kernel.outbox, json_populate_recordset(null::kernel.emitted_event, events)
      where correlation_id = $1`
  const { rows } = await bank.pool.query<{ actor: string }>(
    mutation === 'grantCreditAuthority' ? ofAuthority : ofEvents,
    [requestId],
  )
  return rows.map(({ actor }) => actor)
}
