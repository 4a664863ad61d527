import {
  amount,
  boolean,
  date,
  id,
  input,
  instant,
  jsonObject,
  label,
  list,
  object,
  oneOf,
  string,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import type { InstructionType } from '../../../ledger/domain/instruction.ts'
import { railNames } from '../rails/registry.ts'
import { DirectionEnum, InstructionTypeEnum, PhaseEnum, SideEnum } from './posting.ts'

export const PostingEntryInput = input('PostingEntryInput', 'One entry of a custom posting.', {
  account: string('The ID of an account, or of an internal account such as `nostro/EUR`.'),
  side: oneOf(SideEnum, 'Whether the entry is a debit or a credit.'),
  amount: amount(
    'The amount, greater than zero. A decimal string is in the currency of the account.',
  ),
  address: label('The address within the ledger account. Defaults to `default`.').orNull(),
  phase: oneOf(
    PhaseEnum,
    'The phase of the entry. Only `COMMITTED` is allowed, which is the default.',
  ).orNull(),
})
export type PostingEntryInput = TypeOf<typeof PostingEntryInput>

export const PostingInstructionInput = input(
  'PostingInstructionInput',
  'A posting instruction. The required fields depend on `type`.',
  {
    type: oneOf(
      InstructionTypeEnum,
      'The type of the instruction. It can be omitted for transfers, hard settlements, custom ' +
        'postings and reversals, where it is derived from the other fields.',
    )
      .as<InstructionType>()
      .orNull(),
    amount: amount(
      'The amount, greater than zero. An adjustment can be negative. A decimal string is in the ' +
        'currency of the account, of the debtor of a transfer, or of the authorization.',
    ).orNull(),
    creditorAmount: amount(
      'The amount credited by a transfer into another currency. It is checked against the ' +
        'exchange rate in force. A decimal string is in the currency of the creditor.',
    ).orNull(),
    fxOverrideReason: text(
      'The reason why a posting between two currencies deviates from the exchange rate in force. ' +
        'Requires the scope `postings:fx-override`.',
    ).orNull(),
    arrangementId: id(
      'The ID of the account that a hard settlement or an authorization debits or credits.',
    ).orNull(),
    direction: oneOf(
      DirectionEnum,
      'The direction of a hard settlement. Required if `type` is omitted.',
    ).orNull(),
    debtorArrangementId: id('The ID of the account that a transfer debits.').orNull(),
    creditorArrangementId: id('The ID of the account that a transfer credits.').orNull(),
    internalAccountCode: label(
      'The code of the internal account that receives the opposite entry, such as `settlement`. ' +
        'Defaults to the settlement account of the rail or, without a rail, to `settlement`.',
    ).orNull(),
    clientTransactionId: label(
      "The client's ID for an authorization, which is unique per client. Adjustments, " +
        'settlements and the release of the authorization must send the same ID.',
    ).orNull(),
    entries: list(
      object(PostingEntryInput),
      'The entries of a custom posting: 2 to 100 entries.',
    ).orNull(),
    reversesId: id('The ID of the posting instruction to reverse.').orNull(),
    valueDate: date(
      'The date from which the entries count for interest, at most 30 days before or after ' +
        'today. Defaults to today.',
    ).orNull(),
    expiresAt: instant('When the authorization expires. If omitted, it does not expire.').orNull(),
    final: boolean(
      'Whether a settlement releases the amount that it leaves open. If `amount` is omitted, ' +
        'defaults to true; otherwise to false.',
    ).orNull(),
    advice: boolean(
      'Whether the money has already moved elsewhere, so that the posting is booked even if it ' +
        'overdraws the account. Defaults to false. Requires the scope `postings:force`.',
    ).orNull(),
    rail: label(
      `The name of the rail, such as ${railNames.map((name) => `\`${name}\``).join(' or ')}. It ` +
        'determines the default internal account.',
    ).orNull(),
    endToEndId: label('The end-to-end ID of the payment.').orNull(),
    remittanceInformation: text(
      'The remittance information of the posting, which account holders can see.',
    ).orNull(),
    counterparty: jsonObject(
      'A description of the counterparty. Account holders can see its `name` and `iban`.',
    )
      .as<Record<string, unknown>>()
      .orNull(),
    metadata: jsonObject(
      'Data from the client. It is stored with the instruction and returned unchanged.',
    )
      .as<Record<string, unknown>>()
      .orNull(),
  },
)
export type PostingInstructionInput = TypeOf<typeof PostingInstructionInput>

export const CreatePostingInstructionInput = input(
  'CreatePostingInstructionInput',
  'A posting instruction, or a batch of up to 1,000 instructions that are posted together or ' +
    'not at all.',
  {
    ...PostingInstructionInput.fields,
    instructions: list(
      object(PostingInstructionInput),
      'The instructions of a batch: 1 to 1,000 instructions. With a batch, the only other field ' +
        'that can be sent is `clientBatchId`.',
    ).orNull(),
    clientBatchId: label("The client's ID for the batch. It is unique per client.").orNull(),
  },
)
export type CreatePostingInstructionInput = TypeOf<typeof CreatePostingInstructionInput>
