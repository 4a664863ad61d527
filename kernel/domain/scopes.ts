/** All scopes, each with what it allows. The metadata of the authorization server lists them. */
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
  'lending:write': 'Draw down, pause and prepay facilities; request hardship relief.',
  'credit:submit': 'Submit a credit application.',
  'credit:decide': 'Record a credit decision.',
  'loans:accept': 'Record the acceptance of loan terms.',
  'postings:read': 'Read posting instructions and the ledger.',
  'postings:write': 'Create posting instructions.',
  'postings:force': 'Create postings that skip the checks of an account (advices).',
  'postings:fx-override': 'Post between two currencies outside the tolerance of the exchange rate.',
  'rates:write': 'Set exchange rates.',
  'fees:read': 'List fee runs.',
  'fees:run': 'Start and reverse fee runs.',
  'provisioning:read': 'Read expected credit losses, their parameters and runs.',
  'provisioning:write': 'Propose provisioning tables, set stages, and start provisioning runs.',
  'provisioning:approve': 'Approve provisioning tables that another person proposed.',
  'collateral:write': 'Record, value and release collateral.',
  'routing:read': 'Read channels, queues, agents and routing profiles.',
  'routing:write': 'Create routing profiles; set up channels, queues and agents.',
  'notifications:read': 'Read notifications and templates.',
  'notifications:write': 'Create notifications.',
  'templates:write': 'Draft notification templates and submit them for review.',
  'templates:approve': 'Approve, reject and activate notification templates.',
  'cases:read': 'Read cases, documents and interactions.',
  'cases:write': 'Open and work on cases, attach documents, log and route interactions.',
  'events:read': 'Read business events.',
  'events:subscribe': 'Create event subscriptions and webhook endpoints.',
  'assist:use': 'Use assist sessions.',
  'assist:approve': 'Approve the tool calls of an assist session.',
  'operations:read': 'Read jobs, the business date and the audit trail.',
  'operations:manage': 'Run jobs and advance the sandbox clock.',
  'audit:read': 'Read and verify the audit of identity, and receive its events.',
  'clients:manage': 'Register OAuth clients and set their permissions.',
  'sessions:read': 'Read the sessions and the connected apps of the person who is logged in.',
  'sessions:manage': 'End sessions and disconnect apps of the person who is logged in.',
  'staff:read': 'Read the employees of the bank and their roles.',
  'staff:manage': 'Hire, suspend and dismiss employees, and propose their roles.',
  'staff:approve': 'Approve the roles that another person proposed for an employee.',
  'privacy:export': 'Export everything that the bank stores about a party.',
  'privacy:read': 'Read erasures of personal data and their reports.',
  'privacy:write': 'Propose erasures of personal data, and restrict its processing.',
  'privacy:approve': 'Approve erasures that another person proposed.',
  'accounting:read': 'Read the general ledger, its periods and its reports.',
  'accounting:write':
    'Change the chart of accounts, close periods, and propose journal entries and reopenings.',
  'accounting:approve': 'Approve what another person proposed in the general ledger.',
} as const

export type Scope = keyof typeof scopes

/**
 * The text for each scope on the consent page, addressed to the person. It completes the sentence
 * "It asks to: …".
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
  'postings:force': 'Make payments that a rule of the bank would block',
  'postings:fx-override': 'Exchange money at a rate that the bank did not set',
  'rates:write': 'Set the exchange rates of the bank',
  'fees:read': 'See the fees that the bank charges',
  'fees:run': 'Charge and refund fees of the bank',
  'provisioning:read': 'See how much the bank sets aside for losses on its loans',
  'provisioning:write': 'Change how much the bank sets aside for losses on its loans',
  'provisioning:approve': 'Approve how the bank computes what it sets aside for losses',
  'collateral:write': 'Offer what you own as security for your credit',
  'routing:read': 'See how you can reach the bank',
  'routing:write': 'Change who at the bank responds to customers',
  'notifications:read': 'Read the messages that the bank sends you',
  'notifications:write': 'Send and cancel messages of the bank to you',
  'templates:write': 'Write the texts of the messages of the bank',
  'templates:approve': 'Approve the texts of the messages of the bank',
  'cases:read': 'See your requests, complaints, and documents',
  'cases:write': 'Make requests and complaints for you, and send documents',
  'events:read': 'Receive notifications when something changes in your accounts or loans',
  'events:subscribe': 'Send notifications about your accounts to another server',
  'assist:use': 'Talk to the assistant of the bank for you, which can see your data',
  'assist:approve': 'Approve what an assistant of the bank proposes to do',
  'operations:read': 'See how the systems of the bank run',
  'operations:manage': 'Control how the systems of the bank run',
  'audit:read': 'See who logs in to the systems of the bank',
  'clients:manage': 'Decide which apps may call the bank',
  'sessions:read': 'See where you are logged in, and which apps act for you',
  'sessions:manage': 'Log you out, and disconnect apps from you',
  'staff:read': 'See who works at the bank',
  'staff:manage': 'Decide who works at the bank',
  'staff:approve': 'Approve what employees of the bank may do',
  'privacy:export': 'See everything that the bank stores about you',
  'privacy:read': 'See which data of customers the bank erased',
  'privacy:write': 'Erase data of customers, and restrict its use',
  'privacy:approve': 'Approve the erasure of data of customers',
  'accounting:read': 'See the accounts of the bank',
  'accounting:write': 'Close periods of the bank, and make entries in its accounts',
  'accounting:approve': 'Approve entries in the accounts of the bank',
}

export const everyScope = Object.keys(scopes) as Scope[]

/**
 * Scopes that a person cannot delegate to an app, because they are reserved for the bank: credit
 * decisions, the product catalog, operations, and approvals.
 */
const reservedForBank: ReadonlySet<string> = new Set<Scope>([
  'products:write',
  'accounts:backdate',
  'credit:decide',
  'postings:force',
  'postings:fx-override',
  'rates:write',
  'fees:run',
  'provisioning:read',
  'provisioning:write',
  'provisioning:approve',
  'routing:write',
  'templates:write',
  'templates:approve',
  'assist:approve',
  'operations:manage',
  'audit:read',
  'clients:manage',
  'staff:read',
  'staff:manage',
  'staff:approve',
  'privacy:read',
  'privacy:write',
  'privacy:approve',
  'accounting:read',
  'accounting:write',
  'accounting:approve',
])

/**
 * Whether a person can delegate a scope to an app. A token that acts for a party contains no other
 * scopes.
 */
export function isDelegable(scope: string): boolean {
  return !reservedForBank.has(scope)
}

/** The scopes that a person can delegate to an app. */
export const delegableScopes = everyScope.filter(isDelegable)
