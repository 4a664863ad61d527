/**
 * Lists with a status read the few records that have it, however many others there are: the records of
 * open work are the newest of a table, and a plan that passes over all older ones gets slower for ever.
 * Statements have parameters, and PostgreSQL may keep a plan for any values, so both kinds are checked.
 */
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { aSubgraph, type RunningSubgraph } from '../kit/subgraph.ts'
import { fillTable } from '../kit/filled-table.ts'
import type { Context } from '../../kernel/environment/context.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { listCases } from '../../subgraphs/casework/store/case.ts'
import { listInteractions } from '../../subgraphs/channels/store/interaction.ts'
import { episodes } from '../../subgraphs/collections/store/episode.ts'
import { listItems } from '../../subgraphs/fees/store/fee-run-item.ts'
import { listReceivables } from '../../subgraphs/fees/store/fee-receivable.ts'
import { listFacilities } from '../../subgraphs/lending/store/facilities/facility.ts'
import { listHardshipRequests } from '../../subgraphs/lending/store/relief/hardship-request.ts'
import { listNotifications } from '../../subgraphs/notifications/store/notification.ts'
import { listIdentityRecords } from '../../subgraphs/operations/store/identity-record.ts'
import { listApplications } from '../../subgraphs/origination/store/application.ts'
import { listEntitlements } from '../../subgraphs/parties/store/entitlement.ts'
import { payments } from '../../subgraphs/payments/index.ts'
import { listPayments } from '../../subgraphs/payments/store/payment-list.ts'

const count = 5000
const take = 51
/** The rows that a list reads: its page, and some of the same status that another filter leaves out. */
const maxRead = 200

const isOld = `n <= ${count - 100}`

/** The SQL of a status that the many finished records have in turn, and of those of the 100 others. */
const mostly = (finished: string[], open: string[], isFinished = isOld) =>
  `case when ${isFinished} then (array['${finished.join("', '")}'])[1 + n % ${finished.length}]
    else (array['${open.join("', '")}'])[1 + n % ${open.length}] end`

/** What is rare in lists that begin with the latest record. */
const rareOnce = (many: string[], rare: string) => mostly(many, [rare], 'n > 100')

const ofAll = {
  person: null,
  partyId: null,
  clientId: null,
  kind: null,
  outcome: null,
  since: null,
  until: null,
}

interface List {
  table: string
  /** The SQL of the columns that matter. */
  values: Record<string, string>
  read(context: Context): Promise<unknown[]>
}

const json = {
  loan: "'{}'",
  upfront_fees: "'[]'",
  late_charges: 'null',
  late_charge_pauses: "'[]'",
  floating_rate: 'null',
}

const lists: Record<string, List> = {
  'open cases': {
    table: 'casework.case_file',
    values: { status: mostly(['closed', 'closed', 'withdrawn'], ['open', 'in-progress']) },
    read: (context) =>
      listCases(
        context,
        { partyId: null, caseType: null, status: 'open', assigneeId: null, subject: null },
        null,
        take,
      ),
  },
  'submitted loan applications': {
    table: 'origination.loan_application',
    values: {
      status: mostly(['booked', 'declined'], ['submitted', 'in-review']),
      approved_terms: 'null',
      counter_offer: 'null',
      conditions: "'[]'",
      acceptances: "'[]'",
    },
    read: (context) =>
      listApplications(context, { customerId: null, status: 'submitted' }, null, take),
  },
  'submitted hardship requests': {
    table: 'lending.hardship_request',
    values: {
      status: mostly(['approved', 'declined'], ['submitted', 'under-review']),
      effect: 'null',
    },
    read: (context) =>
      listHardshipRequests(context, { loanId: null, status: 'submitted' }, null, take),
  },
  'facilities in arrears': {
    table: 'lending.facility',
    values: {
      state: mostly(['active', 'paid-off'], ['in-arrears']),
      delinquency_bucket: 'null',
      ...json,
    },
    read: (context) =>
      listFacilities(
        context,
        { customerId: null, kind: null, state: 'in-arrears', delinquencyBucket: null },
        null,
        take,
      ),
  },
  'open collections episodes': {
    table: 'collections.episode',
    values: { status: mostly(['closed'], ['open']) },
    read: (context) => episodes.list(context, { status: 'open' }, null, take),
  },
  'failed notifications': {
    table: 'notifications.notification',
    values: {
      status: mostly(['delivered', 'delivered', 'sent'], ['failed', 'suppressed']),
      personalization: 'null',
    },
    read: (context) =>
      listNotifications(context, { partyId: null, status: 'failed', channel: null }, null, take),
  },
  'rejected payments': {
    table: 'payments.payment',
    values: { state: mostly(['settled'], ['rejected', 'returned', 'submitted']) },
    read: (context) =>
      listPayments(
        context,
        { arrangementId: null, standingOrderId: null, state: 'rejected', amount: null },
        null,
        take,
      ),
  },
  'assigned interactions of a queue': {
    table: 'channels.interaction',
    values: {
      status: mostly(['completed', 'abandoned'], ['waiting', 'assigned']),
      queue_id: "'que_' || n % 3",
    },
    read: (context) =>
      listInteractions(
        context,
        { partyId: null, caseId: null, queueId: 'que_1', agentId: null, status: 'assigned' },
        null,
        take,
      ),
  },
  'open fee receivables': {
    table: 'operations.fee_receivable',
    values: { status: mostly(['collected', 'waived'], ['open']) },
    read: (context) =>
      listReceivables(context, { arrangementId: null, status: 'open' }, null, take),
  },
  'failed items of a fee run': {
    table: 'operations.fee_run_item',
    values: { fee_run_id: "'fer_1'", outcome: mostly(['charged', 'waived'], ['failed']) },
    read: (context) => listItems(context, 'fer_1', 'failed', null, take),
  },
  'entitlements to an account': {
    table: 'parties.entitlement',
    values: { resource: "'arrangement/arr_' || n" },
    read: (context) =>
      listEntitlements(
        context,
        { partyId: null, resource: 'arrangement/arr_4000', status: null },
        null,
        take,
      ),
  },
  'records of identity that were denied': {
    table: 'kernel.identity_record',
    values: {
      outcome: rareOnce(['succeeded'], 'denied'),
      kind: rareOnce(['log-in', 'token-issuance'], 'signing-key-rotation'),
    },
    read: (context) => listIdentityRecords(context, { ...ofAll, outcome: 'denied' }, null, take),
  },
  'records of signing keys': {
    table: 'kernel.identity_record',
    values: {},
    read: (context) =>
      listIdentityRecords(context, { ...ofAll, kind: 'signing-key-rotation' }, null, take),
  },
}

let bank: RunningSubgraph
beforeAll(async () => {
  bank = await aSubgraph(payments)
  for (const { table, values } of Object.values(lists)) {
    if (Object.keys(values).length === 0) continue
    await fillTable(bank, table, count, (name, type) => values[name] ?? valueOf(name, type))
    await bank.rows(`vacuum analyze ${table}`)
  }
}, 120_000)
afterAll(() => bank.drop())
afterEach(() => vi.restoreAllMocks())

function valueOf(name: string, type: string): string {
  if (type === 'boolean') return 'false'
  if (type.startsWith('timestamp')) return "'2026-01-01'::timestamptz + n * interval '1 minute'"
  if (type === 'date') return "'2026-01-01'"
  if (type === 'text') return `'${name}_' || n`
  if (type.startsWith('json')) return "'{}'"
  if (type.endsWith('[]')) return "'{}'"
  return type === 'uuid' ? 'gen_random_uuid()' : 'n'
}

interface PlanNode {
  'Node Type': string
  'Actual Rows': number
  'Actual Loops': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

/** How many rows the scans of a plan read, whether or not a filter drops them. */
function rowsRead(node: PlanNode): number {
  const own = node['Node Type'].endsWith('Scan')
    ? (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']
    : 0
  return (node.Plans ?? []).reduce((sum, each) => sum + rowsRead(each), own)
}

type ListValue = string | number | null

/** Runs a statement again, with a plan for these values or for any values, and returns the rows that it reads. */
async function rowsReadBy(text: string, values: ListValue[], mode: string): Promise<number> {
  const client = await bank.bank.pool.connect()
  try {
    await client.query(`set plan_cache_mode = '${mode}'`)
    await client.query(`prepare listed as ${text}`)
    const literals = values.map((value) => (value === null ? 'null' : `'${value}'`))
    const { rows } = await client.query(
      `explain (analyze, format json) execute listed(${literals.join(', ')})`,
    )
    return rowsRead(rows[0]['QUERY PLAN'][0].Plan)
  } finally {
    client.release(true)
  }
}

test.each(Object.entries(lists))('the list of %s reads no others', async (_, { table, read }) => {
  const query = vi.spyOn(bank.bank.pool, 'query')
  expect((await read(bankContext(bank.bank))).length).toBeGreaterThan(0)
  const [first] = query.mock.calls.map(
    ([request]) => request as unknown as { text: string; values: ListValue[] },
  )
  expect(first!.text.replaceAll('"', '')).toContain(table)
  for (const mode of ['force_custom_plan', 'force_generic_plan']) {
    expect(await rowsReadBy(first!.text, first!.values, mode), mode).toBeLessThan(maxRead)
  }
})

test('the pages of rejected payments follow each other in the order of creation', async () => {
  const context = bankContext(bank.bank)
  const filter = {
    arrangementId: null,
    standingOrderId: null,
    state: 'rejected',
    amount: null,
  } as const
  const ids: string[] = []
  for (let after: string[] | null = null; ;) {
    const page = await listPayments(context, filter, after, 10)
    ids.push(...page.map(({ paymentId }) => paymentId))
    if (page.length < 10) break
    const { createdAt, paymentId } = page.at(-1)!
    after = [createdAt.toISOString(), paymentId]
  }
  const rows = await bank.rows(
    "select payment_id from payments.payment where state = 'rejected' order by created_at, payment_id",
  )
  expect(ids).toEqual(rows.map((row) => row['payment_id']))
})
