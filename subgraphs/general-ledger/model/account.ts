import {
  boolean,
  currency,
  entity,
  enumeration,
  id,
  input,
  instant,
  label,
  list,
  oneOf,
  string,
  type TypeOf,
  stored,
} from '../../../kernel/domain/model.ts'

export const GeneralLedgerAccountType = enumeration(
  'GeneralLedgerAccountType',
  'The type of an account of the general ledger. It determines the report and the side on which the account is shown.',
  {
    asset: 'What the bank owns, such as loans. Its normal side is debit.',
    liability: 'What the bank owes, such as deposits. Its normal side is credit.',
    equity: 'The capital and the reserves of the bank. Its normal side is credit.',
    income: 'What the bank earns, such as interest on loans. Its normal side is credit.',
    expense: 'What the bank spends, such as interest on deposits. Its normal side is debit.',
  },
)
export type GeneralLedgerAccountType = TypeOf<typeof GeneralLedgerAccountType>

export const GeneralLedgerAccountUsage = enumeration(
  'GeneralLedgerAccountUsage',
  'How an account of the general ledger is used.',
  {
    header: 'The account groups other accounts and shows their total. Nothing is booked on it.',
    posting: 'Postings are shown on the account. It has no accounts below it.',
  },
)
export type GeneralLedgerAccountUsage = TypeOf<typeof GeneralLedgerAccountUsage>

export const GeneralLedgerAccount = entity(
  'GeneralLedgerAccount',
  'accountNumber',
  'An account of the general ledger, in the chart of accounts of the bank.',
  {
    accountNumber: id('The number of the account, such as `2100`.').inEvents(),
    name: label('The name of the account.').inEvents(),
    type: oneOf(GeneralLedgerAccountType, 'The type of the account. It never changes.').inEvents(),
    usage: oneOf(
      GeneralLedgerAccountUsage,
      'Whether the account groups other accounts or shows postings. It never changes.',
    ).inEvents(),
    parentNumber: string('The number of the account above; null for an account at the top.')
      .orNull()
      .inEvents(),
    currencies: list(
      currency(),
      'The currencies of manual entries on the account; empty if all are allowed.',
    ).inEvents(),
    allowsManualEntries: boolean(
      'Whether journal entries can be made on the account. False for accounts that show a subledger.',
    ).inEvents(),
    isActive: boolean(
      'Whether journal entries and mapping rules can use the account. An inactive account remains in the reports.',
    ).inEvents(),
    createdAt: instant('When the account was created, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type GeneralLedgerAccount = TypeOf<typeof GeneralLedgerAccount>

export const CreateGeneralLedgerAccountInput = input(
  'CreateGeneralLedgerAccountInput',
  'A new account of the general ledger.',
  {
    accountNumber: string('The number of the account: 3 to 10 digits.'),
    name: label('The name of the account.'),
    type: oneOf(GeneralLedgerAccountType, 'The type of the account.'),
    usage: oneOf(
      GeneralLedgerAccountUsage,
      'Whether the account groups other accounts or shows postings.',
    ).defaultsTo('posting'),
    parentNumber: string(
      'The number of the account above, a header account of the same type. If omitted, the account is at the top.',
    ).orNull(),
    currencies: list(
      currency(),
      'The currencies of manual entries on the account. Defaults to all.',
    ).defaultsTo([]),
    allowsManualEntries: boolean(
      'Whether journal entries can be made on the account. Defaults to true.',
    ).defaultsTo(true),
  },
)
export type CreateGeneralLedgerAccountInput = TypeOf<typeof CreateGeneralLedgerAccountInput>

export const ChangeGeneralLedgerAccountInput = input(
  'ChangeGeneralLedgerAccountInput',
  'The new properties of an account of the general ledger. Omitted members stay as they are.',
  {
    accountNumber: string('The number of the account.'),
    name: label('The name of the account.').orNull(),
    parentNumber: string(
      'The number of the account above, a header account of the same type.',
    ).orNull(),
    currencies: list(
      currency(),
      'The currencies of manual entries; empty if all are allowed.',
    ).orNull(),
    allowsManualEntries: boolean('Whether journal entries can be made on the account.').orNull(),
    isActive: boolean('Whether journal entries and mapping rules can use the account.').orNull(),
  },
)
export type ChangeGeneralLedgerAccountInput = TypeOf<typeof ChangeGeneralLedgerAccountInput>
