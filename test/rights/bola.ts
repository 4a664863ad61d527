import { getNamedType } from 'graphql'
import { buildSubgraphs } from '../../gateway/compose.ts'
import { LocalSource } from '../../gateway/sources.ts'
import { createContext } from '../../kernel/environment/context.ts'
import { everyScope } from '../../kernel/domain/scopes.ts'
import { subgraphs } from '../../subgraphs/index.ts'
import { recordsOfAda } from './bola-records.ts'
import { tryRest } from './bola-rest.ts'
import { Faults } from './faults.ts'
import { theGraph, type Platform } from '../kit/platform.ts'
import { aSeededPlatform } from '../kit/seeded-platform.ts'
import { aCaller } from '../kit/subgraph.ts'
import { happyPath } from './happy-path.ts'
import { documentFor, graphOperations, type Fill, type GraphOperation } from './operations.ts'
import { isTaken, outcomeOf, placesOf, subjectOf, subjects } from './places.ts'
import { everythingSeen, idsIn, selectionOf, type Seen } from './records.ts'

/**
 * An id that does not exist: a new one each time, because a request may create a record with it.
 */
let absentIds = 0
const invisibleId = (like = 'nobodys') => `${like.split('_')[0]}_absent-${absentIds++}`

/** The result of probing for foreign access. */
export interface ForeignAccessProbe {
  /** Number of Ada's ids that were tried. */
  ids: number
  /** Requests as Grace; each is compared with the same request for an id that does not exist. */
  tries: number
  /** Arguments that take ids of which Ada has none. */
  untested: string[]
  /** Responses that contained something of Ada's, or differed from that for an absent id. */
  faults: string[]
  /** Lists in which a record that Ada sees was changed. */
  changed: string[]
}

/**
 * Creates records for Ada; then calls every operation as Grace with each of Ada's ids, or, if one
 * fault of an operation is enough, until the first one.
 */
export async function probeForeignAccess(
  settings: Record<string, string> = {},
  isOneEnough = false,
): Promise<ForeignAccessProbe> {
  const graph = await theGraph()
  const bank = await aSeededPlatform('live', true, settings)
  try {
    const ada = bank.token({ partyId: 'pty_ada', hasPasskey: true })
    const grace = bank.token({ partyId: 'pty_grace', hasPasskey: true })
    for (const [name, document] of happyPath()) {
      const token = name.startsWith('Bank') || name === 'FacilityGrace' ? undefined : ada
      const own = name.endsWith('Grace') && name !== 'FacilityGrace' ? grace : token
      const { body } = await bank.graph(document, {}, own ? { token: own } : {})
      if (body.errors) throw new Error(`${name}: ${JSON.stringify(body.errors)}`)
    }
    for (const sql of recordsOfAda) await bank.bank.pool.query(sql)
    const operations = graphOperations(graph.apiSchema, graph.supergraph)
    const before = await everythingSeen(bank, operations, ada)
    const ids = await adasIds(bank, operations, before)
    const found = new Faults(new Set([...ids.values()].flatMap((own) => [...own])))
    // Must come before Grace creates records with ids like Ada's.
    await tryLists(bank, operations, grace, found)
    await tryReferences(bank, ids, found)
    await tryGraph(bank, operations, grace, ids, found, isOneEnough)
    const ofEachKind = [...ids.values()].flatMap((own) => [...own].slice(0, 2))
    await tryRest(bank, grace, ofEachKind, invisibleId, found)
    const after = await everythingSeen(bank, operations, ada)
    return {
      ids: found.secrets.size,
      tries: found.tries,
      untested: [...found.untested].toSorted(),
      faults: [...new Set(found.faults)],
      changed: Object.keys(before).filter(
        (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
      ),
    }
  } finally {
    await bank.stop()
  }
}

/** Ids that no list returns. */
const unlisted: Record<string, string> = {
  eventId: `select event_id as id from kernel.event where 'pty_ada' = any(parties) limit 20`,
  drawdownId: `select drawdown_id as id from lending.drawdown where party_id = 'pty_ada'`,
  hardshipRequestId: 'select hardship_request_id as id from lending.hardship_request',
  paymentHolidayId: 'select payment_holiday_id as id from lending.payment_holiday',
  obligorId: `select obligor_id as id from lending.facility_obligor where obligor_id = 'obl_ada'`,
  rateResetLetterId: 'select rate_reset_letter_id as id from lending.rate_reset_letter',
  guaranteeCallId: 'select guarantee_call_id as id from lending.guarantee_call',
  toolCallId: 'select tool_call_id as id from assist.tool_call',
  uploadId: 'select content_id as id from casework.content',
}

/** The ids that Ada can see, and those that only the bank sees. */
async function adasIds(bank: Platform, operations: readonly GraphOperation[], seen: Seen) {
  const ids = idsIn(seen)
  const add = (name: string, id: string) => ids.set(name, (ids.get(name) ?? new Set()).add(id))
  add('sessionId', 'ses_ada')
  add('sessionId', 'ses_ada_own')
  add('endpointId', 'whk_bank')
  add('subscriptionId', 'sub_bank')
  // Offers to everybody, their prices and reference rates are public.
  const outsider = bank.token({ partyId: 'pty_stranger' })
  const open = idsIn(await everythingSeen(bank, operations, outsider))
  for (const name of ['offerId', 'pricingQuoteId', 'quoteId', 'referenceRateId']) {
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

/** Grace's own records, so that a request gets as far as possible before it meets Ada's id. */
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
  isOneEnough: boolean,
) {
  const request = ['query', 'mutation'].flatMap((type) =>
    operations.filter((operation) => operation.type === type),
  )
  for (const operation of request) {
    const before = found.faults.length
    const isEnough = () => isOneEnough && found.faults.length > before
    for (const place of placesOf(operation)) {
      const own = tried(ids, operation, place)
      if (own.length === 0) found.untested.add(place)
      for (const helped of [false, true]) {
        const callWith = (id: string) => sendWith(bank, operation, token, place, id, helped)
        const twin = async (like?: string) => {
          const id = invisibleId(like)
          return outcomeOf(await callWith(id), id)
        }
        if (isEnough()) break
        const absent = await twin()
        const where = `${operation.name}(${place})${helped ? ' with her own ids' : ''}`
        for (const id of own) {
          if (isEnough()) break
          found.tries++
          const foreign = await callWith(id)
          found.look(`${where} with ${id}`, foreign, id)
          const outcome = outcomeOf(foreign, id)
          if (outcome === absent || isTaken(outcome, operation)) continue
          // The first response may be out of date: records that Grace has created since count
          // towards her limits.
          const again = await twin(id)
          if (outcome !== again) {
            found.faults.push(`${where} with ${id}: ${outcome} but for an absent id ${again}`)
          }
        }
      }
    }
  }
}

/**
 * A query gets some ids of each kind. A mutation gets only fitting ones: Grace may assign any other
 * to a record of her own, and would then find it there.
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

async function sendWith(
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

/** Resolves every entity of every subgraph as the gateway does. */
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
      const resolveEntity = async (id: string) => {
        const keys = Object.fromEntries([...ids.keys(), 'version'].map((key) => [key, id]))
        const r = [{ __typename: type, ...keys }]
        return source.run(text, { r }, { ...context })
      }
      const nobody = invisibleId()
      const absent = outcomeOf(await resolveEntity(nobody), nobody)
      for (const id of [...ids.values()].flatMap((own) => [...own].slice(0, 3))) {
        found.tries++
        const answer = await resolveEntity(id)
        found.look(`${name} ${type} as an entity`, answer, id)
        const outcome = outcomeOf(answer, id)
        if (outcome !== absent) {
          found.faults.push(`${name} ${type} ${id}: ${outcome} but for an absent id ${absent}`)
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
