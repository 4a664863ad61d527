import { formatAmount } from '../../kernel/domain/money.ts'
import {
  ArrangementState,
  BlockKind,
  OverdraftState,
  OverdraftWriteOffState,
  SigningRuleState,
} from './model/enumerations.ts'
import { declareEvents } from '../../kernel/events/events.ts'
import {
  amountMinor,
  currency,
  date,
  decimal,
  id,
  instant,
  integer,
  listOf,
  oneOf,
  orNull,
  record,
  text,
  type Static,
} from '../../kernel/events/event-data.ts'
import { eventsOf } from '../../kernel/domain/state-machine.ts'
import { declareSubject } from '../../kernel/events/record-data.ts'
import { Arrangement, arrangementStates } from './model/arrangement.ts'
import { Overdraft, overdraftStates } from './model/overdraft.ts'
import { OverdraftWriteOff, overdraftWriteOffStates } from './model/overdraft-write-off.ts'
import { MaturityInstruction } from '../../kernel/domain/maturity-instruction.ts'
import { DepositOpening } from './model/deposit-opening.ts'
import { SigningRule, signingRuleStates } from './model/signing-rule.ts'

const arrangementData = record({
  arrangementId: id,
  customerId: id,
  partyId: id,
  productId: id,
  productVersion: text,
  state: oneOf(ArrangementState.values),
  blockedFor: orNull(oneOf(BlockKind.values)),
  currency,
  overdraftLimitMinor: amountMinor,
  openedAt: instant,
})

const arrangementEvents = declareEvents(
  {
    'accounts.arrangement.opened': 'An account was opened. Its state shows whether it is active.',
    ...eventsOf(arrangementStates),
    'accounts.arrangement.overdraft-limit-changed':
      'The overdraft limit of an account changed, because an overdraft began or ended.',
  },
  arrangementData,
)
declareSubject('arrangement', Arrangement)
export type ArrangementEvent = keyof typeof arrangementEvents

/**
 * Returns the data of an account for its events and, together with the lifecycle, for its published
 * fact.
 */
export function arrangementSnapshot(arrangement: Arrangement) {
  return {
    arrangementId: arrangement.arrangementId,
    customerId: arrangement.customerId,
    partyId: arrangement.partyId,
    productId: arrangement.productId,
    productVersion: arrangement.productVersion,
    state: arrangement.state,
    blockedFor: arrangement.blockedFor,
    currency: arrangement.currency,
    overdraftLimitMinor: arrangement.overdraftLimitMinor.toString(),
    openedAt: arrangement.openedAt,
  }
}

const overdraftData = record({
  overdraftId: id,
  arrangementId: id,
  limit: decimal,
  interestFreeAmount: decimal,
  currency,
  annualRatePct: decimal,
  unarrangedRatePct: decimal,
  /** The reference rate to which the two rates are added; null if they are fixed. */
  referenceRateId: orNull(id),
  validFrom: date,
  validTo: orNull(date),
  state: oneOf(OverdraftState.values),
})

const overdraftEvents = declareEvents(
  {
    'accounts.overdraft.proposed': 'An overdraft was proposed for an account.',
    ...eventsOf(overdraftStates),
  },
  overdraftData,
)
declareSubject('overdraft', Overdraft)
export type OverdraftEvent = keyof typeof overdraftEvents

/** Returns the data of an overdraft for its events. */
export function overdraftSnapshot(overdraft: Overdraft): Static<typeof overdraftData> {
  const { currency: code } = overdraft
  return {
    overdraftId: overdraft.overdraftId,
    arrangementId: overdraft.arrangementId,
    limit: formatAmount(overdraft.limitMinor, code),
    interestFreeAmount: formatAmount(overdraft.interestFreeMinor, code),
    currency: code,
    annualRatePct: overdraft.annualRatePct,
    unarrangedRatePct: overdraft.unarrangedRatePct,
    referenceRateId: overdraft.floatingRate?.referenceRateId ?? null,
    validFrom: overdraft.validFrom,
    validTo: overdraft.validTo,
    state: overdraft.state,
  }
}

const overdraftWriteOffData = record({
  overdraftWriteOffId: id,
  arrangementId: id,
  amount: decimal,
  recovered: decimal,
  currency,
  state: oneOf(OverdraftWriteOffState.values),
})

const overdraftWriteOffEvents = declareEvents(
  {
    'accounts.overdraft-write-off.proposed': 'The write-off of an overdraft was proposed.',
    ...eventsOf(overdraftWriteOffStates),
    'accounts.overdraft-write-off.recovery-received':
      'A recovery of an overdraft that was written off was booked.',
  },
  overdraftWriteOffData,
)
declareSubject('overdraft-write-off', OverdraftWriteOff)
export type OverdraftWriteOffEvent = keyof typeof overdraftWriteOffEvents

/** Returns the data of a write-off for its events. */
export function overdraftWriteOffSnapshot(
  writeOff: OverdraftWriteOff,
): Static<typeof overdraftWriteOffData> {
  const { currency: code } = writeOff
  return {
    overdraftWriteOffId: writeOff.overdraftWriteOffId,
    arrangementId: writeOff.arrangementId,
    amount: formatAmount(writeOff.amountMinor, code),
    recovered: formatAmount(writeOff.recoveredMinor, code),
    currency: code,
    state: writeOff.state,
  }
}

const signingRuleData = record({
  signingRuleId: id,
  arrangementId: id,
  requiredSignatures: integer,
  /** The amount from which on the number applies; null if it applies to every amount. */
  fromAmount: orNull(decimal),
  currency,
  signatoryPartyIds: listOf(id),
  state: oneOf(SigningRuleState.values),
})

const signingRuleEvents = declareEvents(
  {
    'accounts.signing-rule.proposed': 'A signing rule was proposed for an account.',
    ...eventsOf(signingRuleStates),
  },
  signingRuleData,
)
declareSubject('signing-rule', SigningRule)
export type SigningRuleEvent = keyof typeof signingRuleEvents

/** Returns the data of a signing rule for its events. */
export function signingRuleSnapshot(rule: SigningRule): Static<typeof signingRuleData> {
  return {
    signingRuleId: rule.signingRuleId,
    arrangementId: rule.arrangementId,
    requiredSignatures: rule.requiredSignatures,
    fromAmount: rule.fromMinor === null ? null : formatAmount(rule.fromMinor, rule.currency),
    currency: rule.currency,
    signatoryPartyIds: [...rule.signatoryPartyIds],
    state: rule.state,
  }
}

const depositOpeningData = record({
  depositOpeningId: id,
  arrangementId: id,
  customerId: id,
  productId: id,
  productVersion: text,
  /** The money with which the account began; zero if it was opened empty. */
  amount: decimal,
  currency,
  fundingArrangementId: orNull(id),
  termDepositId: orNull(id),
  months: orNull(integer),
  annualRatePct: orNull(decimal),
  maturityInstruction: orNull(oneOf(MaturityInstruction.values)),
})

const depositOpeningEvents = declareEvents(
  {
    'accounts.deposit.opened':
      'A savings account or a term deposit was opened, and the terms of its product were accepted.',
  },
  depositOpeningData,
)
declareSubject('deposit-opening', DepositOpening)
export type DepositOpeningEvent = keyof typeof depositOpeningEvents

/** Returns the data of the opening of a deposit for its event. */
export function depositOpeningSnapshot(opening: DepositOpening): Static<typeof depositOpeningData> {
  return {
    depositOpeningId: opening.depositOpeningId,
    arrangementId: opening.arrangementId,
    customerId: opening.customerId,
    productId: opening.productId,
    productVersion: opening.productVersion,
    amount: formatAmount(opening.amountMinor, opening.currency),
    currency: opening.currency,
    fundingArrangementId: opening.fundingArrangementId,
    termDepositId: opening.termDepositId,
    months: opening.months,
    annualRatePct: opening.annualRatePct,
    maturityInstruction: opening.maturityInstruction,
  }
}

/** The data of a balance event. Amounts are decimal strings, as in GraphQL. */
const balanceData = record({
  arrangementId: id,
  currency,
  committed: decimal,
  pendingIn: decimal,
  pendingOut: decimal,
  available: decimal,
})

declareEvents(
  {
    'accounts.balance.changed':
      'The balance of an account changed. The event has the current amounts.',
  },
  balanceData,
)
declareSubject('balance', Arrangement)
