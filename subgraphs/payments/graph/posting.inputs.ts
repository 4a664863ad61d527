import { Field, ID, InputType } from 'type-graphql'
import {
  AmountScalar,
  type AmountSent,
  DateTimeScalar,
  JsonObjectScalar,
  LabelScalar,
  LocalDateScalar,
  TextScalar,
} from '../../_kernel/scalars.ts'
import type { Side } from '../../_ledger/domain/account.ts'
import type { Phase } from '../../_ledger/domain/balance.ts'
import type { InstructionType } from '../../_ledger/domain/instruction.ts'
import { DirectionEnum, InstructionTypeEnum, PhaseEnum, SideEnum } from './posting.types.ts'

@InputType({ description: 'A movement of a custom posting.' })
export class PostingEntryInput {
  @Field(() => String, {
    description: 'An arrangement’s id, or an account of the bank’s own such as `nostro/EUR`.',
  })
  account: string

  @Field(() => SideEnum)
  side: Side

  @Field(() => AmountScalar, {
    description: 'Greater than zero; a decimal string is in the currency of the account.',
  })
  amount: AmountSent

  @Field(() => LabelScalar, { nullable: true })
  address?: string | null

  @Field(() => PhaseEnum, { nullable: true, description: 'Committed, which is the default.' })
  phase?: Phase | null
}

@InputType({ description: 'One instruction to the books. What it needs depends on its type.' })
export class PostingInstructionInput {
  @Field(() => InstructionTypeEnum, {
    nullable: true,
    description: 'May be left out of transfers, hard settlements, custom postings and reversals.',
  })
  type?: InstructionType | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'Greater than zero; an adjustment may be negative. A decimal string is in the currency of the ' +
      'arrangement, the debtor of a transfer, or the authorization that is continued.',
  })
  amount?: AmountSent | null

  @Field(() => AmountScalar, {
    nullable: true,
    description:
      'What a transfer into another currency brings the creditor; checked against the exchange rate in ' +
      'force. A decimal string is in the currency of the creditor.',
  })
  creditorAmount?: AmountSent | null

  @Field(() => TextScalar, {
    nullable: true,
    description:
      'Why a posting between two currencies deviates from the exchange rate. Requires `postings:fx-override`.',
  })
  fxOverrideReason?: string | null

  @Field(() => ID, { nullable: true, description: 'The account of a settlement or authorisation.' })
  arrangementId?: string | null

  @Field(() => DirectionEnum, {
    nullable: true,
    description: 'Of a hard settlement without a type.',
  })
  direction?: 'in' | 'out' | null

  @Field(() => ID, { nullable: true })
  debtorArrangementId?: string | null

  @Field(() => ID, { nullable: true })
  creditorArrangementId?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'The account of the bank’s own on the other side; that of the rail when absent.',
  })
  internalAccountCode?: string | null

  @Field(() => LabelScalar, {
    nullable: true,
    description: 'Names an authorisation, and ties what follows to it. Unique per client.',
  })
  clientTransactionId?: string | null

  @Field(() => [PostingEntryInput], { nullable: true, description: 'Of a custom posting.' })
  entries?: PostingEntryInput[] | null

  @Field(() => ID, { nullable: true, description: 'The posting to take back.' })
  reversesId?: string | null

  @Field(() => LocalDateScalar, {
    nullable: true,
    description: 'The day it counts for interest: up to 30 days before or after the booking.',
  })
  valueDate?: string | null

  @Field(() => DateTimeScalar, { nullable: true, description: 'When an authorisation is over.' })
  expiresAt?: Date | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Releases what a settlement leaves; it does when no amount is given.',
  })
  final?: boolean | null

  @Field(() => Boolean, {
    nullable: true,
    description: 'Books what already happened elsewhere, against the guard (postings:force).',
  })
  advice?: boolean | null

  @Field(() => LabelScalar, { nullable: true })
  rail?: string | null

  @Field(() => LabelScalar, { nullable: true })
  endToEndId?: string | null

  @Field(() => TextScalar, { nullable: true })
  remittanceInformation?: string | null

  @Field(() => JsonObjectScalar, { nullable: true })
  counterparty?: Record<string, unknown> | null

  @Field(() => JsonObjectScalar, { nullable: true })
  metadata?: Record<string, unknown> | null
}

@InputType({ description: 'One instruction, or up to 1,000 that happen together or not at all.' })
export class CreatePostingInstructionInput extends PostingInstructionInput {
  @Field(() => [PostingInstructionInput], { nullable: true, description: 'A batch.' })
  instructions?: PostingInstructionInput[] | null

  @Field(() => LabelScalar, { nullable: true, description: 'Names a batch. Unique per client.' })
  clientBatchId?: string | null
}
