/** Every scope the bank knows, with what it allows. The authorization server's metadata lists these. */
export const scopes = {
  'products:read': 'Read products and their versions.',
  'products:write': 'Create products and move them through their states.',
  'offers:read': 'List product offers.',
  'accounts:read': 'Read account arrangements and balances.',
  'accounts:write': 'Open account arrangements and change their state.',
  'accounts:backdate': 'Open an account arrangement with a date in the past.',
  'agreements:read': 'List agreements.',
  'agreements:write': 'Create, sign and end agreements.',
  'parties:read': 'Read parties and customers.',
  'parties:write': 'Create and change parties and customers.',
  'lending:read': 'Read applications, facilities, loans and schedules.',
  'lending:write': 'Draw, pause, prepay, ask for hardship relief.',
  'credit:submit': 'Submit a credit application.',
  'credit:decide': 'Record a credit decision.',
  'loans:accept': 'Record the acceptance of loan terms.',
  'postings:read': 'Read posting instructions and the ledger.',
  'postings:write': 'Create posting instructions.',
  'postings:force': 'Book against a guard (advice).',
  'postings:fx-override': 'Post between two currencies outside the tolerance of the rate.',
  'rates:write': 'Load exchange rates.',
  'fees:read': 'List fee runs.',
  'fees:run': 'Start and reverse fee runs.',
  'collateral:write': 'Record, value and release collateral.',
  'routing:read': 'Read channels, queues, agents and routing profiles.',
  'routing:write': 'Create routing profiles; set up channels, queues and agents.',
  'notifications:read': 'Read notifications and templates.',
  'notifications:write': 'Create notifications.',
  'templates:write': 'Draft notification templates and put them up for review.',
  'templates:approve': 'Approve, reject and activate notification templates.',
  'cases:read': 'Read cases, documents and interactions.',
  'cases:write': 'Open and work on cases, attach documents, log and route interactions.',
  'events:read': 'Read the feed of business events.',
  'events:subscribe': 'Create event subscriptions and webhook endpoints.',
  'assist:use': 'Use governed assist sessions.',
  'assist:approve': 'Approve the tool calls of an assist session.',
  'operations:read': 'Read jobs, the business date and the audit trail.',
  'operations:manage': 'Run jobs, move the sandbox clock.',
  'clients:manage': 'Register programs that may call the bank, and say what they may do.',
} as const

export type Scope = keyof typeof scopes

export const everyScope = Object.keys(scopes) as Scope[]

/**
 * What no person can let an app do for them, because it is the bank's own work: deciding on credit,
 * what is on offer, how the bank is run, and approving what others drafted.
 */
const ownWork: ReadonlySet<string> = new Set<Scope>([
  'products:write',
  'accounts:backdate',
  'credit:decide',
  'postings:force',
  'postings:fx-override',
  'rates:write',
  'fees:run',
  'routing:write',
  'templates:write',
  'templates:approve',
  'assist:approve',
  'operations:manage',
  'clients:manage',
])

/** Whether a token that acts for a party may have this scope. */
export function isDelegable(scope: string): boolean {
  return !ownWork.has(scope)
}

/** Every scope that a person may hand on. */
export const delegableScopes = everyScope.filter(isDelegable)
