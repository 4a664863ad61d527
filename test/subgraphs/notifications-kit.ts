import { expect } from 'vitest'
import type { Bank } from '../../kernel/environment/bank.ts'
import { notifications } from '../../subgraphs/notifications/index.ts'
import { bankContext } from '../../kernel/work/worker.ts'
import { deliverNotifications } from '../../subgraphs/notifications/delivery/worker.ts'
import type { Reachability } from '../../subgraphs/notifications/domain/suppression.ts'
import {
  aCaller,
  employee,
  aSubgraph,
  type Answer,
  type ExecuteOptions,
  type RunningSubgraph,
} from '../kit/subgraph.ts'

/** The notifications subgraph with parties that the test defines. */
export interface Notifier extends RunningSubgraph {
  /** Publishes a party's fact, and makes the stubbed graph return its contact points. */
  party(partyId: string, fact?: Partial<Reachability>, displayName?: string): Promise<string>
  template(input: object, options?: ExecuteOptions): Promise<Answer>
  /** Creates an active template, written by one person and approved by another. */
  wording(input: { templateCode: string } & Record<string, unknown>): Promise<void>
  notify(input: object, options?: ExecuteOptions): Promise<Answer>
  /** Runs the delivery worker, of this process or another, until nothing is due; returns how many it handled. */
  deliver(by?: Bank): Promise<number>
  /** The notification's row in the database. */
  stored(notificationId: string): Promise<Record<string, any>>
  eventsOf(subject: string): Promise<string[]>
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
  // Only the sandbox simulates a provider that the test does not configure.
  bank.environment = 'sandbox'
  const names = new Map<string, string>()
  const queryGraph = async (_: unknown, { partyIds }: { partyIds: string[] }) => ({
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
  bank.queryGraph = queryGraph as unknown as typeof bank.queryGraph
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
    async wording(input) {
      const templateId = `${input.templateCode}-wording`
      const author = { caller: aCaller({ subject: 'wording-author' }) }
      const request = { templateId, ...input, status: 'in-review' }
      const document = `mutation ($input: CreateNotificationTemplateInput!) {
        createNotificationTemplate(input: $input) { status } }`
      const answers = [await running.execute(document, { input: request }, author)]
      for (const name of ['approve', 'activate']) {
        answers.push(
          await running.execute(
            `mutation { ${name}NotificationTemplate(templateId: "${templateId}") { status } }`,
            {},
            { caller: employee },
          ),
        )
      }
      expect(answers.flatMap(({ errors }) => errors)).toEqual([])
    },
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
    async eventsOf(subject) {
      const events = await running.events()
      return events.filter((event) => event.subject === subject).map(({ type }) => type)
    },
  }
}

/** Counts the statements, commits included, that reach the database during an action. */
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
  commits.commit = (prepared) => {
    statements++
    return commit(prepared)
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
