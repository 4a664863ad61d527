import type { Bank } from '../../subgraphs/_kernel/bank.ts'
import { notifications } from '../../subgraphs/notifications/index.ts'
import { bankContext } from '../../subgraphs/_kernel/worker.ts'
import { deliverNotifications } from '../../subgraphs/notifications/delivery/worker.ts'
import type { Reachability } from '../../subgraphs/notifications/domain/suppression.ts'
import {
  aSubgraph,
  type Answer,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../kit/subgraph.ts'

/** The notifications subgraph with parties of the test's own making. */
export interface Notifier extends RunningSubgraph {
  /** Publishes a party, and answers it to those who ask the graph. */
  party(partyId: string, fact?: Partial<Reachability>, displayName?: string): Promise<string>
  template(input: object, options?: ExecuteOptions): Promise<Answer>
  notify(input: object, options?: ExecuteOptions): Promise<Answer>
  /** Runs the worker until nothing is due, of this process or another; answers how much it did. */
  deliver(by?: Bank): Promise<number>
  /** The notification as it is stored. */
  stored(notificationId: string): Promise<Record<string, any>>
  told(subject: string): Promise<string[]>
}

export const reachable: Omit<Reachability, 'partyId'> = {
  status: 'active',
  language: 'en',
  channels: {
    email: { verified: true },
    sms: { verified: true },
    push: { verified: true },
    'secure-message': { verified: true },
  },
  marketingOptOut: false,
  marketingOptOutChannels: [],
  suppressedChannels: [],
  quietHours: null,
}

const addresses = {
  EMAIL: 'ada@example.com',
  SMS: '+31612345678',
  PUSH: 'device',
  SECURE_MESSAGE: 'inbox',
}

const templateFields =
  'templateId templateCode channel language version status category subject body contentHash ' +
  'variables { name type required pii } createdAt updatedAt ' +
  'approval { approvers authoredBy submittedAt approvedBy approvedAt rejectionReason }'

export const notificationFields =
  'notificationId partyId channel templateCode language subject personalization status ' +
  'suppressionReason failureReason sendAt attempts { at outcome reason } provider createdAt ' +
  'deliveredAt renderedSubject renderedBody'

export async function aNotifier(): Promise<Notifier> {
  const running = await aSubgraph(notifications)
  const { bank } = running
  // Where a provider is simulated that no test brings.
  bank.environment = 'sandbox'
  const names = new Map<string, string>()
  const ask = async (_: unknown, { partyIds }: { partyIds: string[] }) => ({
    partyContacts: partyIds
      .filter((partyId) => names.has(partyId))
      .map((partyId) => ({
        partyId,
        displayName: names.get(partyId),
        contactPoints: Object.entries(addresses).map(([channel, address]) => ({
          channel,
          address,
          verified: true,
        })),
      })),
  })
  bank.ask = ask as unknown as typeof bank.ask
  return {
    ...running,
    async party(partyId, fact = {}, displayName = 'Ada Lovelace') {
      names.set(partyId, displayName)
      await running.rows(
        `insert into kernel.fact values ($1, 1, $2)
         on conflict (subject) do update set data = excluded.data`,
        [`party/${partyId}`, { partyId, ...reachable, ...fact }],
      )
      return partyId
    },
    template: (input, options) =>
      running.execute(
        `mutation ($input: CreateNotificationTemplateInput!) {
           answer: createNotificationTemplate(input: $input) { ${templateFields} } }`,
        { input },
        options,
      ),
    notify: (input, options) =>
      running.execute(
        `mutation ($input: CreateNotificationInput!) {
           answer: createNotification(input: $input) { ${notificationFields} } }`,
        { input },
        options,
      ),
    async deliver(by = bank) {
      let done = 0
      for (let some; (some = await deliverNotifications.run(bankContext(by))) > 0;) done += some
      return done
    },
    async stored(notificationId) {
      const sql = 'select * from notifications.notification where notification_id = $1'
      return (await running.rows(sql, [notificationId]))[0]!
    },
    async told(subject) {
      const events = await running.events()
      return events.filter((event) => event.subject === subject).map(({ type }) => type)
    },
  }
}

/** How many statements go to the database, commits among them, while something is done. */
export async function countStatements(
  { bank }: Notifier,
  act: () => Promise<unknown>,
): Promise<number> {
  const { pool, commits, reads } = bank
  const query = pool.query.bind(pool)
  const commit = commits.commit.bind(commits)
  const read = reads.query.bind(reads)
  let statements = 0
  pool.query = ((...args: Parameters<typeof query>) => {
    statements++
    return query(...args)
  }) as typeof pool.query
  reads.query = (statement) => {
    statements++
    return read(statement)
  }
  commits.commit = (statement) => {
    statements++
    return commit(statement)
  }
  try {
    await act()
  } finally {
    pool.query = query
    commits.commit = commit
    reads.query = read
  }
  return statements
}
