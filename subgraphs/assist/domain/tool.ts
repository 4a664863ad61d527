import type { ToolClass } from '../model/enumerations.ts'
import type { Scope } from '../../../kernel/domain/scopes.ts'

/** A parameter of a tool, as JSON Schema. */
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
  /** The scope of the operation, for a tool that changes data. */
  scope?: Scope
  /** Whether the result can contain text from untrusted authors. */
  isUntrusted?: true
  /** The tool that previews the effect of this tool for the approver. */
  previewedBy?: string
}

const id = { type: 'string', pattern: '^[A-Za-z0-9._:~-]{1,64}$' } as const
const amount = { type: 'string', pattern: '^\\d{1,15}(\\.\\d{1,4})?$' } as const
const facility = { ...id, description: 'The ID of the loan or facility.' } as const
const amountInFacilityCurrency = {
  ...amount,
  description: 'The amount in the currency of the loan or facility, such as 100.00.',
} as const
const strategy = {
  type: 'string',
  pattern: '^(REDUCE_INSTALLMENT|REDUCE_TERM|PREPAY_NEXT)$',
  description:
    'REDUCE_INSTALLMENT, REDUCE_TERM or PREPAY_NEXT. Defaults to the strategy of the product.',
} as const
const startDate = {
  type: 'string',
  pattern: '^\\d{4}-\\d{2}-\\d{2}$',
  description: 'The first day of the payment holiday.',
} as const
const installments = {
  type: 'integer',
  description: 'The number of installments to pause. Defaults to 1.',
} as const
const forbiddenTool = (description: string): ToolDefinition => ({
  toolClass: 'forbidden',
  description,
  parameters: {},
  required: [],
})

export const tools = {
  list_accounts: {
    toolClass: 'read',
    description: 'Lists accounts with their balances.',
    parameters: {
      customerId: { ...id, description: 'Restricts the result to the accounts of this customer.' },
    },
    required: [],
  },
  get_balance: {
    toolClass: 'read',
    description: 'Returns the balance of an account.',
    parameters: { arrangementId: { ...id, description: 'The ID of the account.' } },
    required: ['arrangementId'],
  },
  list_entries: {
    toolClass: 'read',
    description: 'Lists the latest entries of an account.',
    parameters: { arrangementId: { ...id, description: 'The ID of the account.' } },
    required: ['arrangementId'],
    isUntrusted: true,
  },
  get_loan: {
    toolClass: 'read',
    description: 'Returns a loan with its outstanding balance and next installment.',
    parameters: { loanId: { ...id, description: 'The ID of the loan.' } },
    required: ['loanId'],
  },
  get_payoff: {
    toolClass: 'read',
    description: 'Returns the payoff amount of a loan as of today.',
    parameters: { loanId: { ...id, description: 'The ID of the loan.' } },
    required: ['loanId'],
  },
  get_application: {
    toolClass: 'read',
    description: 'Returns the status of a loan application. People decide on it.',
    parameters: { applicationId: { ...id, description: 'The ID of the loan application.' } },
    required: ['applicationId'],
  },
  get_case: {
    toolClass: 'read',
    description: 'Returns a case and its notes.',
    parameters: { caseId: { ...id, description: 'The ID of the case.' } },
    required: ['caseId'],
    isUntrusted: true,
  },
  read_document: {
    toolClass: 'read',
    description: 'Returns the text of a document.',
    parameters: { documentId: { ...id, description: 'The ID of the document.' } },
    required: ['documentId'],
    isUntrusted: true,
  },
  preview_drawdown: {
    toolClass: 'propose',
    description: 'Previews a drawdown from a facility without making it.',
    parameters: {
      facilityId: facility,
      amount: amountInFacilityCurrency,
    },
    required: ['facilityId', 'amount'],
  },
  preview_extra_payment: {
    toolClass: 'propose',
    description: 'Previews an extra payment on a loan without making it.',
    parameters: { facilityId: facility, amount: amountInFacilityCurrency, strategy },
    required: ['facilityId', 'amount'],
  },
  preview_payment_holiday: {
    toolClass: 'propose',
    description: 'Previews a payment holiday of a loan and its cost without requesting it.',
    parameters: { facilityId: facility, startDate, installments },
    required: ['facilityId', 'startDate'],
  },
  make_extra_payment: {
    toolClass: 'act',
    description: 'Makes an extra payment on a loan from an account at the bank.',
    parameters: {
      facilityId: facility,
      amount: amountInFacilityCurrency,
      sourceArrangementId: { ...id, description: 'The ID of the account to debit.' },
      strategy,
    },
    required: ['facilityId', 'amount', 'sourceArrangementId'],
    scope: 'lending:write',
    previewedBy: 'preview_extra_payment',
  },
  request_payment_holiday: {
    toolClass: 'act',
    description: 'Requests a payment holiday for a loan.',
    parameters: { facilityId: facility, startDate, installments },
    required: ['facilityId', 'startDate'],
    scope: 'lending:write',
    previewedBy: 'preview_payment_holiday',
  },
  transfer: {
    toolClass: 'act',
    description: 'Transfers money between two accounts at the bank.',
    parameters: {
      debtorArrangementId: { ...id, description: 'The ID of the account to debit.' },
      creditorArrangementId: { ...id, description: 'The ID of the account to credit.' },
      amount: { ...amount, description: 'The amount, such as 100.00.' },
      currency: {
        type: 'string',
        pattern: '^[A-Z]{3}$',
        description: 'The ISO 4217 currency code.',
      },
    },
    required: ['debtorArrangementId', 'creditorArrangementId', 'amount', 'currency'],
    scope: 'postings:write',
  },
  record_credit_decision: forbiddenTool('Records a credit decision. Only people decide on credit.'),
  force_posting: forbiddenTool('Posts without ledger checks.'),
  activate_product: forbiddenTool('Activates a product. Only people activate products.'),
  approve_tool_call: forbiddenTool('Approves a tool call. Only another person can approve it.'),
} as const satisfies Record<string, ToolDefinition>

export type ToolName = keyof typeof tools

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(tools, name)
}

export function toolOf(name: ToolName): ToolDefinition {
  return tools[name]
}

/** Returns the preview tool of a tool call and its arguments; null if there is no preview. */
export function previewOf(name: string, args: Readonly<Record<string, unknown>>) {
  const preview = isToolName(name) ? toolOf(name).previewedBy : undefined
  if (!preview || !isToolName(preview)) return null
  const previewArgs = Object.entries(args).filter(([key]) =>
    Object.hasOwn(toolOf(preview).parameters, key),
  )
  return { name: preview, args: Object.fromEntries(previewArgs) }
}

/** Returns what is wrong with the arguments of a tool call; null if they are valid. */
export function argumentFault(name: ToolName, args: Readonly<Record<string, unknown>>) {
  const { parameters, required } = toolOf(name)
  const missing = required.find((each) => args[each] === undefined)
  if (missing) return `The argument ${missing} is missing.`
  for (const [key, value] of Object.entries(args)) {
    const parameter = Object.hasOwn(parameters, key) ? parameters[key]! : null
    if (!parameter) return `The tool has no argument ${key}.`
    if (parameter.type === 'integer' ? !Number.isInteger(value) : typeof value !== 'string') {
      return `The argument ${key} must be of type ${parameter.type}.`
    }
    if (parameter.pattern && !new RegExp(parameter.pattern).test(String(value))) {
      return `The argument ${key} does not match ${parameter.pattern}.`
    }
  }
  return null
}
