import { Arg, Ctx, FieldResolver, Resolver, Root } from '../../../../kernel/graph/decorators.ts'
import type { Shape } from '../../../../kernel/domain/model.ts'
import type { Context } from '../../../../kernel/environment/context.ts'
import { dateOf } from '../../../../kernel/domain/dates.ts'
import { LocalDateScalar } from '../../../../kernel/graph/scalars.ts'
import { loadDues } from '../../store/repayments/due-installment.ts'
import { quotePayoff } from '../../commands/repayments/payoff-quote.ts'
import { delinquencyOut, loanInstallmentOut, payoffOut } from '../repayments/repayment-out.ts'
import { moneyOut, MoneyType } from '../../../../kernel/graph/money.types.ts'
import {
  availableOf,
  dueMinorOf,
  type Facility as FacilityRecord,
} from '../../domain/facilities/facility.ts'
import { currentVersion } from '../../domain/facilities/schedule-change.ts'
import { bucketOf } from '../../domain/servicing/delinquency-bucket.ts'
import { costOut, nextInstallmentOut } from './facility-out.ts'
import {
  CostOfCredit,
  Delinquency,
  DelinquencyBucket,
  LoanInstallment,
  NextInstallment,
  PayoffQuote,
} from '../../model/schedules/facility-schedule.ts'
import { Facility, Loan } from '../../model/facilities/facility.ts'

const money = ({ currency }: FacilityRecord, amountMinor: bigint) =>
  moneyOut({ amountMinor, currency })

/** Returns a resolver for the amounts of a facility, which `Facility` and `Loan` share. */
function figuresOf(type: Shape) {
  @Resolver(() => type)
  class FiguresResolver {
    @FieldResolver(() => MoneyType, {
      description: 'The credit limit of a revolving facility, or the amount of a loan.',
    })
    limit(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, facility.limitMinor)
    }

    @FieldResolver(() => MoneyType, { description: 'The amount that can still be drawn.' })
    available(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, availableOf(facility))
    }

    @FieldResolver(() => MoneyType, {
      description: 'The principal that has been drawn and not repaid.',
    })
    outstandingPrincipal(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, facility.principalMinor)
    }

    @FieldResolver(() => MoneyType, {
      description: 'The interest that has accrued and is not due yet.',
    })
    accruedInterest(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, facility.accruedMinor)
    }

    @FieldResolver(() => MoneyType, { description: 'The interest that is due and not paid.' })
    interestDue(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, facility.interestDueMinor)
    }

    @FieldResolver(() => MoneyType, {
      description:
        'The amount that was charged off and has not been recovered; zero if nothing was charged off.',
    })
    chargedOff(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, facility.chargedOffMinor)
    }

    @FieldResolver(() => MoneyType, {
      description: 'The unpaid principal, interest and late charges of installments that are due.',
    })
    amountDue(@Root() facility: FacilityRecord): MoneyType {
      return money(facility, dueMinorOf(facility))
    }
  }
  return FiguresResolver
}

/** Returns a resolver for the schedule of a facility and the figures derived from it. */
function scheduleFieldsOf(type: Shape) {
  @Resolver(() => type)
  class ScheduleResolver {
    @FieldResolver(() => NextInstallment, {
      nullable: true,
      description: 'The next installment that is not due yet; null if there is none.',
    })
    nextInstallment(@Root() facility: FacilityRecord): NextInstallment | null {
      return nextInstallmentOut(facility)
    }

    @FieldResolver(() => [LoanInstallment], {
      description: 'The current schedule; empty before the first one is created.',
    })
    async schedule(
      @Root() facility: FacilityRecord,
      @Ctx() context: Context,
    ): Promise<LoanInstallment[]> {
      const dues = (await loadDues(context, facility.facilityId))!
      const byNumber = new Map(dues.map((due) => [due.number, due]))
      const lines = currentVersion(facility)?.schedule.installments ?? []
      return lines.map((line) => loanInstallmentOut(line, facility, byNumber.get(line.number)))
    }

    @FieldResolver(() => Delinquency, { description: 'How late the facility is, as of today.' })
    async delinquency(
      @Root() facility: FacilityRecord,
      @Ctx() context: Context,
    ): Promise<Delinquency> {
      const dues = (await loadDues(context, facility.facilityId))!
      return delinquencyOut(dues, facility, dateOf(context.now()))
    }

    @FieldResolver(() => DelinquencyBucket, {
      nullable: true,
      description: 'The delinquency bucket as of the last end of day or payment; null without one.',
    })
    delinquencyBucket(@Root() facility: FacilityRecord): DelinquencyBucket | null {
      return bucketOf(facility)
    }

    @FieldResolver(() => CostOfCredit, {
      nullable: true,
      description: 'The cost of the loan; null for a revolving limit.',
    })
    costOfCredit(@Root() facility: FacilityRecord): CostOfCredit | null {
      return costOut(facility)
    }

    @FieldResolver(() => PayoffQuote, {
      nullable: true,
      description:
        'The amount that repays the facility in full on a given day; null if nothing is owed or ' +
        'the facility was charged off.',
    })
    async payoffQuote(
      @Root() facility: FacilityRecord,
      @Arg('on', () => LocalDateScalar, {
        nullable: true,
        description: 'The day for which to quote, from today to 366 days ahead. Defaults to today.',
      })
      on: string | null,
      @Ctx() context: Context,
    ): Promise<PayoffQuote | null> {
      const figure = await quotePayoff(context, facility, on ?? null)
      return figure && payoffOut(figure, facility.currency)
    }
  }
  return ScheduleResolver
}

export const FacilityFiguresResolver = figuresOf(Facility)
export const LoanFiguresResolver = figuresOf(Loan)
export const FacilityScheduleResolver = scheduleFieldsOf(Facility)
export const LoanScheduleResolver = scheduleFieldsOf(Loan)
