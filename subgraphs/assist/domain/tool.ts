/**
 * What an assistant may use. `read` and `propose` happen at once, `act` only after another person
 * approved it, `forbidden` never: an assistant does not decide on credit, book against a guard, put a
 * product on offer or approve what it asked for itself.
 */
export const toolClasses = ['read', 'propose', 'act', 'forbidden'] as const
export type ToolClass = (typeof toolClasses)[number]

/** An argument of a tool: JSON Schema, as every provider reads it. */
export interface Parameter {
  type: 'string' | 'integer'
  description: string
  pattern?: string
}

export interface ToolDefinition {
  toolClass: ToolClass
  description: string
  parameters: Readonly<Record<string, Parameter>>
  required: readonly string[]
  /** What it returns was written by anybody: data, and never a reason to do something. */
  isUntrusted?: true
  /** The tool that shows who approves an act what it would change. */
  previewedBy?: string
}

const id = { type: 'string', pattern: '^[A-Za-z0-9._:~-]{1,64}$' } as const
const amount = { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,4})?$' } as const
const facility = { ...id, description: 'The loan or facility.' } as const
const inItsCurrency = { ...amount, description: 'In its currency: 100.00.' } as const
const strategy = {
  type: 'string',
  pattern: '^(REDUCE_INSTALMENT|REDUCE_TERM|PREPAY_NEXT)$',
  description: 'REDUCE_INSTALMENT, REDUCE_TERM or PREPAY_NEXT; that of the product when absent.',
} as const
const startDate = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'The first day of the pause.',
} as const
const instalments = { type: 'integer', description: 'How many; one when absent.' } as const
const forbidden = (description: string): ToolDefinition => ({
  toolClass: 'forbidden',
  description,
  parameters: {},
  required: [],
})

export const tools = {
  list_accounts: {
    toolClass: 'read',
    description: 'Accounts with what is on them.',
    parameters: { customerId: { ...id, description: 'Only those of this customer.' } },
    required: [],
  },
  get_balance: {
    toolClass: 'read',
    description: 'What is on an account.',
    parameters: { arrangementId: { ...id, description: 'The account.' } },
    required: ['arrangementId'],
  },
  list_entries: {
    toolClass: 'read',
    description: 'The latest entries of an account.',
    parameters: { arrangementId: { ...id, description: 'The account.' } },
    required: ['arrangementId'],
    isUntrusted: true,
  },
  get_loan: {
    toolClass: 'read',
    description: 'A loan: what is owed, and the next instalment.',
    parameters: { loanId: { ...id, description: 'The loan.' } },
    required: ['loanId'],
  },
  get_payoff: {
    toolClass: 'read',
    description: 'What pays a loan off today.',
    parameters: { loanId: { ...id, description: 'The loan.' } },
    required: ['loanId'],
  },
  get_application: {
    toolClass: 'read',
    description: 'Where an application for a loan stands. People decide on it.',
    parameters: { applicationId: { ...id, description: 'The application.' } },
    required: ['applicationId'],
  },
  get_case: {
    toolClass: 'read',
    description: 'A case and what was written in it.',
    parameters: { caseId: { ...id, description: 'The case.' } },
    required: ['caseId'],
    isUntrusted: true,
  },
  read_document: {
    toolClass: 'read',
    description: 'The text of a document.',
    parameters: { documentId: { ...id, description: 'The document.' } },
    required: ['documentId'],
    isUntrusted: true,
  },
  preview_drawdown: {
    toolClass: 'propose',
    description: 'What drawing from a facility would change. Draws nothing.',
    parameters: {
      facilityId: facility,
      amount: inItsCurrency,
    },
    required: ['facilityId', 'amount'],
  },
  preview_extra_payment: {
    toolClass: 'propose',
    description: 'What paying beside the instalments would change. Pays nothing.',
    parameters: { facilityId: facility, amount: inItsCurrency, strategy },
    required: ['facilityId', 'amount'],
  },
  preview_payment_holiday: {
    toolClass: 'propose',
    description: 'What pausing instalments would change, and cost. Pauses nothing.',
    parameters: { facilityId: facility, startDate, instalments },
    required: ['facilityId', 'startDate'],
  },
  make_extra_payment: {
    toolClass: 'act',
    description: 'Pays beside the instalments of a loan, from an account of the bank.',
    parameters: {
      facilityId: facility,
      amount: inItsCurrency,
      sourceArrangementId: { ...id, description: 'The account that pays.' },
      strategy,
    },
    required: ['facilityId', 'amount', 'sourceArrangementId'],
    previewedBy: 'preview_extra_payment',
  },
  request_payment_holiday: {
    toolClass: 'act',
    description: 'Asks for a pause of the instalments of a loan.',
    parameters: { facilityId: facility, startDate, instalments },
    required: ['facilityId', 'startDate'],
    previewedBy: 'preview_payment_holiday',
  },
  transfer: {
    toolClass: 'act',
    description: 'Moves money from one account to another account of the bank.',
    parameters: {
      debtorArrangementId: { ...id, description: 'The account that pays.' },
      creditorArrangementId: { ...id, description: 'The account that receives.' },
      amount: { ...amount, description: '100.00' },
      currency: { type: 'string', pattern: '^[A-Z]{3}$', description: 'ISO 4217.' },
    },
    required: ['debtorArrangementId', 'creditorArrangementId', 'amount', 'currency'],
  },
  record_credit_decision: forbidden('People decide on credit.'),
  force_posting: forbidden('Nothing is booked against a guard.'),
  activate_product: forbidden('People put products on offer.'),
  approve_tool_call: forbidden('Another person approves.'),
} as const satisfies Record<string, ToolDefinition>

export type ToolName = keyof typeof tools

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name)
}

export function toolOf(name: ToolName): ToolDefinition {
  return tools[name]
}

/** The tool that shows what an act would change, with the arguments of that act it takes; null when none does. */
export function previewOf(name: string, args: Readonly<Record<string, unknown>>) {
  const preview = isToolName(name) ? toolOf(name).previewedBy : undefined
  if (!preview || !isToolName(preview)) return null
  const taken = Object.entries(args).filter(([key]) =>
    Object.hasOwn(toolOf(preview).parameters, key),
  )
  return { name: preview, args: Object.fromEntries(taken) }
}

/** What is wrong with the arguments a model gave; null when nothing is. */
export function argumentFault(name: ToolName, args: Readonly<Record<string, unknown>>) {
  const { parameters, required } = toolOf(name)
  const missing = required.find((each) => args[each] === undefined)
  if (missing) return `The argument ${missing} is missing.`
  for (const [key, value] of Object.entries(args)) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key]! : null
    if (!parameter) return `There is no argument ${key}.`
    if (parameter.type === 'integer' ? !Number.isInteger(value) : typeof value !== 'string') {
      return `The argument ${key} is not a ${parameter.type}.`
    }
    if (parameter.pattern && !new RegExp(parameter.pattern).test(String(value))) {
      return `The argument ${key} is not of the form ${parameter.pattern}.`
    }
  }
  return null
}
