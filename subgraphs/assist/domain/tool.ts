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
}

const id = { type: 'string', pattern: '^[A-Za-z0-9._:~-]{1,64}$' } as const
const amount = { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,4})?$' } as const
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
      facilityId: { ...id, description: 'The facility.' },
      amount: { ...amount, description: 'In its currency: 100.00.' },
    },
    required: ['facilityId', 'amount'],
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
