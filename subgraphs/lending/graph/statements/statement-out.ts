import { formatAmount } from '../../../../kernel/domain/money.ts'
import type { Certificate } from '../../domain/statements/certificate.ts'
import { totalDebtMinor, type Debt } from '../../domain/statements/debt.ts'
import { originIdOf } from '../../domain/statements/movement.ts'
import type { StatedMovement, Statement } from '../../domain/statements/statement.ts'
import type {
  FacilityCertificate,
  FacilityDebt,
  FacilityMovement,
  FacilityStatement,
} from '../../model/statements/statement.ts'
import { nextInstallmentOut } from '../facilities/facility-out.ts'

/** Converts amounts of a debt to their GraphQL form. */
function partsOut(debt: Debt, currency: string) {
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    principal: money(debt.principalMinor),
    interest: money(debt.interestMinor),
    lateFees: money(debt.lateFeesMinor),
    defaultInterest: money(debt.defaultInterestMinor),
    chargedOff: money(debt.chargedOffMinor),
  }
}

function debtOut(debt: Debt, currency: string): FacilityDebt {
  return { ...partsOut(debt, currency), total: formatAmount(totalDebtMinor(debt), currency) }
}

function movementOut(movement: StatedMovement, currency: string): FacilityMovement {
  const { kind, valueDate, bookedAt, text, ratePct } = movement
  return {
    kind,
    valueDate,
    bookedAt,
    text,
    amount: formatAmount(movement.amountMinor, currency),
    ...partsOut(movement.change, currency),
    fee: formatAmount(movement.feeMinor, currency),
    balanceAfter: formatAmount(movement.balanceAfterMinor, currency),
    ratePct,
    drawdownId: originIdOf(movement, 'drawdown'),
    repaymentId: originIdOf(movement, 'repayment'),
    extraPaymentId: originIdOf(movement, 'extra-payment', 'prepayment-fee'),
  }
}

/** Converts a statement to its GraphQL type. */
export function statementOut(statement: Statement): FacilityStatement {
  const { facility, from, to, opening, closing, movements, nextInstallment } = statement
  const { facilityId, currency } = facility
  const { dueDate: nextDueDate = null, paymentMinor: nextDueMinor = null } = nextInstallment ?? {}
  return {
    facilityId,
    from,
    to,
    currency,
    opening: debtOut(opening, currency),
    closing: debtOut(closing, currency),
    movements: movements.map((movement) => movementOut(movement, currency)),
    nextInstallment: nextInstallmentOut({ nextDueDate, nextDueMinor, currency }),
    statement,
  }
}

/** Converts a certificate to its GraphQL type. */
export function certificateOut(certificate: Certificate): FacilityCertificate {
  const { year, facility, paid, closing, isFinal } = certificate
  const { facilityId, currency } = facility
  const money = (amountMinor: bigint) => formatAmount(amountMinor, currency)
  return {
    facilityId,
    year,
    currency,
    interestPaid: money(paid.interestMinor),
    lateFeesPaid: money(paid.lateFeesMinor),
    defaultInterestPaid: money(paid.defaultInterestMinor),
    feesPaid: money(certificate.feesPaidMinor),
    principalRepaid: money(paid.principalMinor),
    recovered: money(certificate.recoveredMinor),
    closing: debtOut(closing, currency),
    isFinal,
    certificate,
  }
}
