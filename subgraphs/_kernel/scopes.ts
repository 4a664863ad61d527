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

/**
 * What a person reads on the consent page before an app gets a scope: what the app will be able to do
 * for them, in their words and completing "It asks to:". A scope without a text does not compile.
 */
export const consentTexts: Readonly<Record<Scope, string>> = {
  'products:read': 'See the products that the bank offers',
  'products:write': 'Change the products that the bank offers',
  'offers:read': 'See the offers that the bank makes you',
  'accounts:read': 'See your accounts, balances, and transactions',
  'accounts:write': 'Open accounts for you, and ask for accounts to be closed',
  'accounts:backdate': 'Open accounts with a date in the past',
  'agreements:read': 'See your agreements with the bank',
  'agreements:write': 'Sign and end agreements for you',
  'parties:read': 'See your name, date of birth, and contact details',
  'parties:write': 'Change your personal and contact details, and who may use your accounts',
  'lending:read': 'See your loans, credit limits, and collateral',
  'lending:write': 'Draw on your credit, and change how you repay it',
  'credit:submit': 'Apply for credit in your name',
  'credit:decide': 'Decide on applications for credit',
  'loans:accept': 'Accept loan offers for you, which commits you to repay them',
  'postings:read': 'See your payments and standing orders',
  'postings:write': 'Send money from your accounts, and set up standing orders',
  'postings:force': 'Book payments that a rule of the bank would stop',
  'postings:fx-override': 'Exchange money at a rate that the bank did not set',
  'rates:write': 'Set the exchange rates of the bank',
  'fees:read': 'See the fees that the bank charges',
  'fees:run': 'Charge and refund fees of the bank',
  'collateral:write': 'Offer what you own as security for your credit',
  'routing:read': 'See how you can reach the bank',
  'routing:write': 'Change who at the bank answers customers',
  'notifications:read': 'Read the messages that the bank sends you',
  'notifications:write': 'Send and cancel messages of the bank to you',
  'templates:write': 'Write the texts of the messages of the bank',
  'templates:approve': 'Approve the texts of the messages of the bank',
  'cases:read': 'See your requests, complaints, and documents',
  'cases:write': 'Make requests and complaints for you, and send documents',
  'events:read': 'Learn at once when something happens on your accounts or to your loans',
  'events:subscribe': 'Keep sending what happens on your accounts to another server',
  'assist:use': 'Talk to the assistant of the bank for you, which can see your data',
  'assist:approve': 'Approve what an assistant of the bank proposes to do',
  'operations:read': 'See how the systems of the bank run',
  'operations:manage': 'Control how the systems of the bank run',
  'clients:manage': 'Decide which apps may call the bank',
}

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
