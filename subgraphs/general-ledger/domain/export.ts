/** The columns of the exported trial balance. Their names and their order are a contract. */
export const trialBalanceColumns = [
  'accounting_period',
  'account_number',
  'account_name',
  'account_type',
  'currency',
  'opening',
  'reclassified',
  'debit',
  'credit',
  'closing',
] as const

/** The last column of a trial balance that is divided by a dimension. */
export const dimensionColumns = { product: 'product_id', segment: 'segment' } as const

/** The columns of the exported translated trial balance. Their names and their order are a contract. */
export const translatedTrialBalanceColumns = [
  'accounting_period',
  'as_of',
  'account_number',
  'account_name',
  'account_type',
  'functional_currency',
  'opening',
  'reclassified',
  'debit',
  'credit',
  'translation_difference',
  'closing',
] as const

/** The columns of exported translated statements. Their names and their order are a contract. */
export const translatedStatementColumns = [
  'accounting_period',
  'as_of',
  'account_number',
  'account_name',
  'account_type',
  'level',
  'functional_currency',
  'amount',
] as const

/** The columns of exported entries. Their names and their order are a contract. */
export const entryColumns = [
  'accounting_date',
  'value_date',
  'booked_at',
  'account_number',
  'account_name',
  'ledger_account_id',
  'posting_instruction_id',
  'entry_number',
  'debit',
  'credit',
  'currency',
] as const
