import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  execute,
  parse,
  validate,
  type DocumentNode,
  type GraphQLError,
  type GraphQLFormattedError,
  type GraphQLSchema,
} from 'graphql'
import pino from 'pino'
import type { Bank } from '../../kernel/environment/bank.ts'
import type { Caller } from '../../kernel/authorization/caller.ts'
import type { PersonalCipher } from '../../kernel/environment/personal-cipher.ts'
import { parseConfig } from '../../kernel/environment/config.ts'
import { createContext } from '../../kernel/environment/context.ts'
import { DataKeys } from '../../kernel/environment/data-keys.ts'
import { IdentityLog } from '../../kernel/authorization/identity-log.ts'
import { RejectionLog } from '../../kernel/authorization/refusals.ts'
import { Revocations } from '../../kernel/authorization/revocations.ts'
import { Heartbeat } from '../../kernel/database/heartbeat.ts'
import { openDatabase } from '../../kernel/database/db.ts'
import { withData, type LoggedEvent } from '../../kernel/events/events.ts'
import { formatError } from '../../kernel/graph/errors.ts'
import { newId } from '../../kernel/environment/ids.ts'
import { EventArchive } from '../../kernel/events/event-archive.ts'
import { EventLog } from '../../kernel/events/event-log.ts'
import { everyScope, type Scope } from '../../kernel/domain/scopes.ts'
import { fixedRing } from '../../kernel/environment/key-ring.ts'
import { createVault } from '../../kernel/environment/vault.ts'
import type { Subgraph } from '../../kernel/graph/subgraph.ts'
import { freshDatabase } from './database.ts'
import { seedOfficers } from './officers.ts'
import { schemaOf } from './schemas.ts'

/** The answer of one document, with errors as they cross the boundary. */
export interface Answer {
  // Tests read answers of any shape.
  data: any
  errors: GraphQLFormattedError[]
  /** The code of the first error. */
  code: string | undefined
  isReplayed: boolean
}

export interface ExecuteOptions {
  caller?: Caller
  idempotencyKey?: string
  requestId?: string
  /** Until when the caller waits; for ever by default. */
  deadlineMs?: number
}

/** An event as a command told it, wherever it is on its way to the log. */
export type EmittedEvent = Omit<LoggedEvent, 'position' | 'sequence'>

/** The subgraph as one process has it: with its own connections, and what it remembers. */
export interface TestBank {
  bank: Bank
  execute(
    document: string,
    variables?: Record<string, unknown>,
    options?: ExecuteOptions,
  ): Promise<Answer>
}

/** One subgraph on a database of its own, as a test uses it. */
export interface RunningSubgraph extends TestBank {
  /** The bank's time stands still until it is moved. */
  clock: { set(to: Date | string): void; advance(ms: number): void }
  /** The same on the same database, as another process would run it. */
  another(): TestBank
  /** Everything that was told, in the order it was committed; sequenced or not. */
  events(): Promise<EmittedEvent[]>
  /** What an area published of a subject, or null. */
  fact(subject: string): Promise<Record<string, unknown> | null>
  /** The rows of a query of the test's own. */
  rows(sql: string, values?: unknown[]): Promise<Record<string, any>[]>
  drop(): Promise<void>
}

const columns = 'event_id, type, subject, time, data, parties, correlation_id, causation_id, actor'
/** One look at both: an event that moves to the log meanwhile is in one of them. */
const eventsSql = `select event_id as "eventId", type, subject, time, data, parties,
    correlation_id as "correlationId", causation_id as "causationId", actor
  from (select 0 as place, position as at, 0 as nth, ${columns} from kernel.event
    union all select 1, id, ordinality, ${columns} from kernel.outbox,
      json_populate_recordset(null::kernel.emitted_event, events) with ordinality) every
  order by place, at, nth`

/**
 * A machine with every scope, or what the test says of it. A `partyId` makes it a delegated user, a
 * `subject` a person of the bank.
 */
export function aCaller(
  request: {
    partyId?: string
    scopes?: readonly Scope[]
    clientId?: string
    subject?: string
  } = {},
): Caller {
  const { partyId = null, scopes = everyScope, clientId = 'test-client' } = request
  return {
    clientId,
    subject: request.subject ?? partyId ?? clientId,
    scopes: new Set(scopes),
    partyId,
    grantId: null,
    sessionId: null,
    acr: null,
    authenticatedAt: null,
    keyThumbprint: null,
    certificateThumbprint: null,
    tokenId: 'test-token',
    issuedAt: Date.now(),
    expiresAt: Number.MAX_SAFE_INTEGER,
  }
}

/** A person who works at the bank, with every scope. */
export const employee = aCaller({ subject: 'employee' })

/** Starts a subgraph on a fresh database. Nothing runs beside the requests: a test runs workers itself. */
export async function aSubgraph(
  module: Subgraph,
  startsAt = '2026-03-02T09:00:00.000Z',
): Promise<RunningSubgraph> {
  const schema = schemaOf(module)
  const database = await freshDatabase()
  const dataDir = await mkdtemp(join(tmpdir(), 'bankgraph-subgraph-'))
  let time = new Date(startsAt)
  const bank = openTestBank(database.url, dataDir, () => new Date(time))
  await bank.dataKeys.start()
  const { pool } = bank
  await seedOfficers(pool)
  const others: Bank[] = []
  return {
    bank,
    clock: {
      set: (to) => void (time = new Date(to)),
      advance: (ms) => void (time = new Date(time.getTime() + ms)),
    },
    execute: executor(schema, bank),
    another() {
      const other = openTestBank(database.url, dataDir, () => new Date(time), bank.cipher)
      others.push(other)
      return { bank: other, execute: executor(schema, other) }
    },
    async events() {
      return withData(pool, (await pool.query<EmittedEvent>(eventsSql)).rows)
    },
    async fact(subject) {
      const { rows } = await pool.query('select data from kernel.fact where subject = $1', [
        subject,
      ])
      return rows[0]?.data ?? null
    },
    rows: async (sql, values = []) => (await pool.query(sql, values)).rows,
    async drop() {
      bank.dataKeys.close()
      await Promise.all([bank, ...others].map((one) => one.close()))
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

type ParsedDocument = DocumentNode | readonly GraphQLError[]

const documents = new WeakMap<GraphQLSchema, Map<string, ParsedDocument>>()

/** A document as the schema allows it, or why it does not; tests send the same few again and again. */
function documentOf(schema: GraphQLSchema, source: string): ParsedDocument {
  const ofSchema = documents.get(schema) ?? new Map<string, ParsedDocument>()
  documents.set(schema, ofSchema)
  let known = ofSchema.get(source)
  if (known) return known
  try {
    const document = parse(source)
    const errors = validate(schema, document)
    known = errors.length > 0 ? errors : document
  } catch (error) {
    known = [error as GraphQLError]
  }
  ofSchema.set(source, known)
  return known
}

function executor(schema: GraphQLSchema, bank: Bank): TestBank['execute'] {
  return async (source, variables = {}, options = {}) => {
    const context = createContext(bank, options.caller ?? aCaller(), {
      authorization: undefined,
      requestId: options.requestId ?? 'test-request',
      traceparent: undefined,
      idempotencyKey: options.idempotencyKey,
      deadlineMs: options.deadlineMs ?? Number.MAX_SAFE_INTEGER,
    })
    const document = documentOf(schema, source)
    const answer =
      'kind' in document
        ? await execute({ schema, document, variableValues: variables, contextValue: context })
        : { data: null, errors: document }
    const errors = (answer.errors ?? []).map((error) => formatError(error, bank.log))
    return {
      data: answer.data ?? null,
      errors,
      code: errors[0]?.extensions?.['code'] as string | undefined,
      isReplayed: context.outcome.isReplayed,
    }
  }
}

function openTestBank(
  url: string,
  dataDir: string,
  now: () => Date,
  sharedCipher?: PersonalCipher,
): Bank {
  const log = pino({ level: 'error', serializers: { error: pino.stdSerializers.err } })
  const database = openDatabase(url, log, sharedCipher ? { cipher: sharedCipher } : {})
  const refuse = (what: string) => () => {
    throw new Error(`A subgraph alone has no ${what}.`)
  }
  const { ENCRYPT_PERSONAL_DATA } = process.env
  const config = parseConfig({ DATA_DIR: dataDir, ENCRYPT_PERSONAL_DATA })
  const vault = createVault(fixedRing('a secret of the tests'))
  const { pool, cipher } = database
  const isOn = config.isPersonalDataEncrypted
  const heartbeat = new Heartbeat(pool, log, now)
  database.onClose(() => heartbeat.stop())
  const dataKeys = new DataKeys({ pool, cipher, vault, log, isOn })
  const archive = new EventArchive(pool, config, 'live', log)
  const events = database.commits.tell(new EventLog(database, log, heartbeat, null, archive))
  return {
    ...database,
    environment: 'live',
    config,
    dataKeys,
    log,
    now,
    clock: {
      now,
      aheadMs: 0,
      refresh: () => Promise.resolve({ aheadMs: 0, version: 1 }),
      onMove: () => () => undefined,
      follow: () => undefined,
    },
    newId,
    issuer: 'http://bank.test',
    verifier: { verify: refuse('verifier'), verifyWithoutProof: refuse('verifier') },
    logIns: { appsOf: refuse('logIns'), sessionsOf: refuse('logIns') },
    proofs: { nonce: refuse('proofs'), verify: refuse('proofs') },
    revocations: new Revocations(database.pool, log),
    refusals: new RejectionLog(database.pool, log),
    identities: new IdentityLog(database.pool, log),
    rowSecurity: null,
    vault,
    pageKeys: { current: 'test', keys: { test: Buffer.alloc(32, 7) } },
    heartbeat,
    events,
    replica: null,
    isReplica: false,
    readPosition: () => events.head,
    archive,
    queryGraph: refuse('graph'),
  }
}
