import { Field, ID, InputType } from 'type-graphql'
import {
  AmountScalar,
  type AmountSent,
  DateTimeScalar,
  JsonObjectScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../../kernel/graph/scalars.ts'
import type { Side } from '../../../ledger/domain/account.ts'
import type { Phase } from '../../../ledger/domain/balance.ts'
import type { InstructionType } from '../../../ledger/domain/instruction.ts'
import { railNames } from '../rails/registry.ts'
import { DirectionEnum, InstructionTypeEnum, PhaseEnum, SideEnum } from './posting.types.ts'

@InputType({ description: 'One entry of a custom posting.' })
export class PostingEntryInput {
  @Field(() => String, {
    description: 'The ID of an account, or of an internal account such as `nostro/EUR`.',
  })
  account: string

  @Field(() => SideEnum, { description: 'Whether the entry is a debit or a credit.' })
  side: Side

  @Field(() => AmountScalar, {
    description:
      'The amount, greater than zero. A decimal string is in the currency of the account.',
  })
  amount: AmountSent

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The address within the ledger account. Defaults to `default`.',
  })
  address?: string | null

  @Field(() => PhaseEnum, {
    nullable: true,
    description: 'The phase of the entry. Only `COMMITTED` is allowed, which is the default.',
  })
  phase?: Phase | null
}

@InputType({ description: 'A posting instruction. The required fields depend on `type`.' })
export class PostingInstructionInput {
  @Field(() => InstructionTypeEnum, {
    nullable: true,
    description:
      'The type of the instruction. It can be omitted for transfers, hard settlements, custom ' +
      'postings and reversals, where it is derived from the other fields.',
  })
  type?: InstructionType | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'The amount, greater than zero. An adjustment can be negative. A decimal string is in the ' +
      'currency of the account, of the debtor of a transfer, or of the authorization.',
  })
  amount?: AmountSent | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'The amount credited by a transfer into another currency. It is checked against the ' +
      'exchange rate in force. A decimal string is in the currency of the creditor.',
  })
  creditorAmount?: AmountSent | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'The reason why a posting between two currencies deviates from the exchange rate in force. ' +
      'Requires the scope `postings:fx-override`.',
  })
  fxOverrideReason?: string | null

  @Field(() => ID, {
    nullable: true,
    description:
      'The ID of the account that a hard settlement or an authorization debits or credits.',
  })
  arrangementId?: string | null

  @Field(() => DirectionEnum, {
    nullable: true,
    description: 'The direction of a hard settlement. Required if `type` is omitted.',
  })
  direction?: 'in' | 'out' | null

  @Field(() => ID, { nullable: true, description: 'The ID of the account that a transfer debits.' })
  debtorArrangementId?: string | null

  @Field(() => ID, {
    nullable: true,
    description: 'The ID of the account that a transfer credits.',
  })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      'The code of the internal account that receives the opposite entry, such as `settlement`. ' +
      'Defaults to the settlement account of the rail or, without a rail, to `settlement`.',
  })
  internalAccountCode?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      "The client's ID for an authorization, which is unique per client. Adjustments, " +
      'settlements and the release of the authorization must send the same ID.',
  })
  clientTransactionId?: string | null

  @Field(() => [PostingEntryInput], {
    nullable: true,
    description: 'The entries of a custom posting: 2 to 100 entries.',
  })
  entries?: PostingEntryInput[] | null

  @Field(() => ID, { nullable: true, description: 'The ID of the posting instruction to reverse.' })
  reversesId?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description:
      'The date from which the entries count for interest, at most 30 days before or after ' +
      'today. Defaults to today.',
  })
  valueDate?: string | null

  @Field(() => DateTimeScalar, {
    nullable: true,
    description: 'When the authorization expires. If omitted, it does not expire.',
  })
  expiresAt?: Date | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether a settlement releases the amount that it leaves open. If `amount` is omitted, ' +
      'defaults to true; otherwise to false.',
  })
  final?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description:
      'Whether the money has already moved elsewhere, so that the posting is booked even if it ' +
      'overdraws the account. Defaults to false. Requires the scope `postings:force`.',
  })
  advice?: boolean | null

  @Field(() => LabelScalar, {
    nullable: true,
    description:
      `The name of the rail, such as ${railNames.map((name) => `\`${name}\``).join(' or ')}. It ` +
      'determines the default internal account.',
  })
  rail?: string | null

  @Field(() => LabelScalar, { nullable: true, description: 'The end-to-end ID of the payment.' })
  endToEndId?: string | null

  @Field(() => TextScalar, {
    nullable: true,
    description: 'The remittance information of the posting, which account holders can see.',
  })
  remittanceInformation?: string | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description:
      'A description of the counterparty. Account holders can see its `name` and `iban`.',
  })
  counterparty?: Record<string, unknown> | null

  @Field(() => JsonObjectScalar, {
    nullable: true,
    description: 'Data from the client. It is stored with the instruction and returned unchanged.',
  })
  metadata?: Record<string, unknown> | null
}

@InputType({
  description:
    'A posting instruction, or a batch of up to 1,000 instructions that are posted together or ' +
    'not at all.',
})
export class CreatePostingInstructionInput extends PostingInstructionInput {
  @Field(() => [PostingInstructionInput], {
    nullable: true,
    description:
      'The instructions of a batch: 1 to 1,000 instructions. With a batch, the only other field ' +
      'that can be sent is `clientBatchId`.',
  })
  instructions?: PostingInstructionInput[] | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: "The client's ID for the batch. It is unique per client.",
  })
  clientBatchId?: string | null
}
