import { getNamedType } from 'graphql'
import { buildSubgraphs } from '../../gateway/compose.ts'
import { LocalSource } from '../../gateway/sources.ts'
import { makeFixtures } from '../../host/fixtures.ts'
import { createContext } from '../../subgraphs/_kernel/context.ts'
import { everyScope } from '../../subgraphs/_kernel/scopes.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { tryRest } from './bola-rest.ts'
import { aPlatform, theGraph, type Platform } from '../kit/platform.ts'
import { aCaller } from '../kit/subgraph.ts'
import { happyPath } from './happy-path.ts'
import { documentFor, graphOperations, type Fill, type GraphOperation } from './operations.ts'
import { outcomeOf, placesOf, subjectOf, subjects } from './places.ts'
import { everythingSeen, idsIn, selectionOf, type Seen } from './records.ts'

/** An id that nobody has: a new one each time, as a request may give it to a record. */
let absentIds = 0
const nobodys = (like = 'nobodys') => `${like.split('_')[0]}_absent-${absentIds++}`

/** What somebody could do with another one's ids. */
export interface Trespass {
  /** Ids of Ada's that were tried. */
  ids: number
  /** Requests as Grace, each beside its twin with an id that nobody has. */
  tries: number
  /** Places of ids for which Ada had none to try. */
  untried: string[]
  /** Where something of Ada's came out, or an answer differed from that for an absent id. */
  faults: string[]
  /** The lists in which something that Ada sees became another. */
  changed: string[]
}

/** Ada does business; then Grace tries everything there is with each id of Ada's. */
export async function trespass(settings: Record<string, string> = {}): Promise<Trespass> {
  const graph = await theGraph()
  const bank = await aPlatform('live', undefined, true, settings)
  try {
    await makeFixtures(graph, bank.bank)
    const ada = bank.token({ partyId: 'pty_ada' })
    const grace = bank.token({ partyId: 'pty_grace' })
    for (const [name, document] of happyPath()) {
      const token = name.startsWith('Bank') || name === 'FacilityGrace' ? undefined : ada
      const own = name.endsWith('Grace') && name !== 'FacilityGrace' ? grace : token
      const { body } = await bank.graph(document, {}, own ? { token: own } : {})
      if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`)
    }
    const operations = graphOperations(graph.apiSchema, graph.supergraph)
    const before = await everythingSeen(bank, operations, ada)
    const ids = await adasIds(bank, operations, before)
    const found = new Faults(new Set([...ids.values()].flatMap((own) => [...own])))
    // Before she names records of her own like Ada's.
    await tryLists(bank, operations, grace, found)
    await tryReferences(bank, ids, found)
    await tryGraph(bank, operations, grace, ids, found)
    const ofEachKind = [...ids.values()].flatMap((own) => [...own].slice(0, 2))
    await tryRest(bank, grace, ofEachKind, nobodys, found)
    const after = await everythingSeen(bank, operations, ada)
    return {
      ids: found.secrets.size,
      tries: found.tries,
      untried: [...found.untried].toSorted(),
      faults: [...new Set(found.faults)],
      changed: Object.keys(before).filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      ),
    }
  } finally {
    await bank.stop()
  }
}

export class Faults {
  readonly secrets: ReadonlySet<string>
  readonly faults: string[] = []
  /** Places for ids of which Ada has none. */
  readonly untried = new Set<string>()
  tries = 0

  constructor(secrets: ReadonlySet<string>) {
    this.secrets = secrets
  }

  /** Finds in an answer what belongs to Ada, beside the id that was asked for. */
  look(where: string, answer: unknown, asked: string | null): void {
    const walk = (value: unknown): void => {
      if (typeof value === 'string') {
        if (value !== asked && this.secrets.has(value)) this.faults.push(`${where}: tells ${value}`)
      } else if (Array.isArray(value)) value.forEach(walk)
      else if (typeof value === 'object' && value !== null) Object.values(value).forEach(walk)
    }
    walk(answer)
  }
}

/** What is in no list. */
const unlisted: Record<string, string> = {
  eventId: `select event_id as id from kernel.event where 'pty_ada' = any(parties) limit 20`,
  drawdownId: 'select drawdown_id as id from lending.drawdown',
  hardshipRequestId: 'select hardship_request_id as id from lending.hardship_request',
  paymentHolidayId: 'select payment_holiday_id as id from lending.payment_holiday',
  toolCallId: 'select tool_call_id as id from assist.tool_call',
  uploadId: 'select content_id as id from casework.content',
}

/** What she sees, and what the bank alone knows of her. */
async function adasIds(bank: Platform, operations: readonly GraphOperation[], seen: Seen) {
  const ids = idsIn(seen)
  const add = (name: string, id: string) => ids.set(name, (ids.get(name) ?? new Set()).add(id))
  add('sessionId', 'ses_ada')
  add('sessionId', 'ses_ada_own')
  add('endpointId', 'whk_bank')
  add('subscriptionId', 'sub_bank')
  // Offers to everybody, and their prices, are there for everybody.
  const stranger = bank.token({ partyId: 'pty_stranger' })
  const open = idsIn(await everythingSeen(bank, operations, stranger))
  for (const name of ['offerId', 'pricingQuoteId', 'quoteId']) {
    for (const id of [...(open.get(name) ?? []), ...(open.get('pricingQuoteId') ?? [])]) {
      ids.get(name)?.delete(id)
    }
  }
  for (const [name, sql] of Object.entries(unlisted)) {
    const { rows } = await bank.bank.pool.query<{ id: string }>(sql)
    if (rows.length === 0) throw new Error(`Ada has no ${name}.`)
    rows.forEach(({ id }) => add(name, id))
  }
  return ids
}

/** Grace's own records, so that a request gets as far as it can before it meets Ada's. */
const graces: Record<string, string> = {
  partyId: 'pty_grace',
  grantorPartyId: 'pty_grace',
  customerId: 'cus_grace',
  arrangementId: 'arr_grace_current',
  debtorArrangementId: 'arr_grace_current',
  agreementId: 'agr_grace_1',
  caseId: 'case_grace',
  facilityId: 'fac_grace',
  sessionId: 'ses_grace',
  productId: 'prd_current',
}

async function tryGraph(
  bank: Platform,
  operations: readonly GraphOperation[],
  token: string,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  found: Faults,
) {
  const asked = ['query', 'mutation'].flatMap((type) =>
    operations.filter((operation) => operation.type === type),
  )
  for (const operation of asked) {
    for (const place of placesOf(operation)) {
      const own = tried(ids, operation, place)
      if (own.length === 0) found.untried.add(place)
      for (const helped of [false, true]) {
        const ask = (id: string) => askWith(bank, operation, token, place, id, helped)
        const twin = async (like?: string) => {
          const id = nobodys(like)
          return outcomeOf(await ask(id), id)
        }
        const absent = await twin()
        const where = `${operation.name}(${place})${helped ? ' among her own' : ''}`
        for (const id of own) {
          found.tries++
          const foreign = await ask(id)
          found.look(`${where} with ${id}`, foreign, id)
          const outcome = outcomeOf(foreign, id)
          if (outcome === absent || isTaken(outcome, operation)) continue
          // What she made meanwhile counts towards her own limits.
          const again = await twin(id)
          if (outcome !== again) {
            found.faults.push(`${where} with ${id}: ${outcome} but for an absent one ${again}`)
          }
        }
      }
    }
  }
}

/**
 * A query takes some of each kind. A mutation takes those that fit: Grace may give any other to a
 * record of her own, and would meet that one later.
 */
function tried(
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  { type }: GraphOperation,
  place: string,
): string[] {
  const kind = (sameAs[place] ?? place).toLowerCase()
  const isFit = (name: string) =>
    kind.endsWith(name.toLowerCase()) || kind === `${name.toLowerCase()}s`
  const fitting = [...ids]
    .filter(([name]) => isFit(name))
    .flatMap(([, own]) => [...own].slice(0, 5))
  if (type === 'mutation' && !subjects.test(place)) return fitting
  return [...new Set([...fitting, ...[...ids].flatMap(([, own]) => [...own].slice(0, 1))])]
}

const sameAs: Record<string, string> = {
  loanId: 'facilityId',
  quoteId: 'pricingQuoteId',
  reversesId: 'postingInstructionId',
  overrideOf: 'decisionId',
  documents: 'documentId',
}

/**
 * An id that somebody chose for a new record may be taken; that is all it may say. To submit an
 * application that is another's is to submit none, and one that nobody has is created.
 */
const isTaken = (outcome: string, { name }: GraphOperation) =>
  /^\["[A-Z_]+_EXISTS"/.test(outcome) ||
  (name === 'submitCreditApplication' && outcome.startsWith('["APPLICATION_NOT_FOUND"'))

async function askWith(
  bank: Platform,
  operation: GraphOperation,
  token: string,
  place: string,
  id: string,
  helped: boolean,
) {
  const fill: Fill = (name) => {
    if (name === place) return subjects.test(place) ? subjectOf(id) : id
    return helped && operation.type === 'mutation' ? graces[name] : undefined
  }
  const selection = selectionOf(getNamedType(operation.field.type), 1)
  const { query, variables } = documentFor(operation, selection, fill)
  return (await bank.graph(query, variables, { token })).body
}

/** Every entity of every subgraph, asked for as the gateway does. */
async function tryReferences(
  bank: Platform,
  ids: ReadonlyMap<string, ReadonlySet<string>>,
  found: Faults,
) {
  const context = createContext(bank.bank, aCaller({ partyId: 'pty_grace', scopes: everyScope }), {
    authorization: undefined,
    requestId: 'test-request',
    traceparent: undefined,
    idempotencyKey: undefined,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  })
  const schemas = buildSubgraphs()
  for (const { name, references } of subgraphs) {
    const schema = schemas.get(name)!
    const source = new LocalSource(schema)
    for (const type of Object.keys(references)) {
      const object = schema.getType(type)!
      const text = `query ($r: [_Any!]!) { _entities(representations: $r) { __typename
        ... on ${type} { ${selectionOf(object, 1)} } } }`
      const ask = async (id: string) => {
        const keys = Object.fromEntries([...ids.keys(), 'version'].map((key) => [key, id]))
        const r = [{ __typename: type, ...keys }]
        return source.run(text, { r }, { ...context })
      }
      const nobody = nobodys()
      const absent = outcomeOf(await ask(nobody), nobody)
      for (const id of [...ids.values()].flatMap((own) => [...own].slice(0, 3))) {
        found.tries++
        const answer = await ask(id)
        found.look(`${name} ${type} as an entity`, answer, id)
        const outcome = outcomeOf(answer, id)
        if (outcome !== absent) {
          found.faults.push(`${name} ${type} ${id}: ${outcome} but for an absent one ${absent}`)
        }
      }
    }
  }
}

async function tryLists(
  bank: Platform,
  operations: readonly GraphOperation[],
  token: string,
  found: Faults,
) {
  const seen = await everythingSeen(bank, operations, token)
  for (const [name, answer] of Object.entries(seen)) {
    found.tries++
    found.look(name, answer, null)
  }
  const feed = '{ businessEvents(first: 200) { nodes { eventId subject data } } }'
  found.look('businessEvents', (await bank.graph(feed, {}, { token })).body, null)
}
