import { Arg, Ctx, FieldResolver, Resolver, Root, type ClassType } from 'type-graphql'
import type { Context } from '../../_kernel/context.ts'
import { dateOf } from '../../_kernel/domain/dates.ts'
import { LocalDateScalar } from '../../_kernel/scalars.ts'
import { loadDues } from '../store/due-instalment.ts'
import { quotePayoff } from '../payoff-quote.ts'
import { delinquencyOut, loanInstalmentOut, payoffOut } from './repayment-out.ts'
import { moneyOut, MoneyType } from '../../_kernel/graph/money.types.ts'
import { availableOf, type Facility as Domain } from '../domain/facility.ts'
import { currentVersion } from '../domain/schedule-change.ts'
import { costOut, nextOut } from './facility-out.ts'
import {
  CostOfCredit,
  Delinquency,
  LoanInstalment,
  NextInstalment,
  PayoffQuote,
} from './facility-schedule.types.ts'
import { Facility, Loan } from './facility.types.ts'

const money = ({ currency }: Domain, amountMinor: bigint) => moneyOut({ amountMinor, currency })

/** What a facility comes to, under either of its names. */
function figuresOf(type: ClassType<object>) {
  @Resolver(() => type)
  class FiguresResolver {
    @FieldResolver(() => MoneyType)
    limit(@Root() facility: Domain): MoneyType {
      return money(facility, facility.limitMinor)
    }

    @FieldResolver(() => MoneyType, { description: 'What may still be drawn.' })
    available(@Root() facility: Domain): MoneyType {
      return money(facility, availableOf(facility))
    }

    @FieldResolver(() => MoneyType, { description: 'Drawn and not repaid.' })
    outstandingPrincipal(@Root() facility: Domain): MoneyType {
      return money(facility, facility.principalMinor)
    }

    @FieldResolver(() => MoneyType, { description: 'Interest that is not due yet.' })
    accruedInterest(@Root() facility: Domain): MoneyType {
      return money(facility, facility.accruedMinor)
    }

    @FieldResolver(() => MoneyType, { description: 'Of the instalments that are due.' })
    amountDue(@Root() facility: Domain): MoneyType {
      return money(facility, facility.interestDueMinor + facility.principalDueMinor)
    }

    @FieldResolver(() => NextInstalment, { nullable: true })
    nextInstalment(@Root() facility: Domain): NextInstalment | null {
      return nextOut(facility)
    }

    @FieldResolver(() => [LoanInstalment], { description: 'The schedule in force.' })
    async schedule(@Root() facility: Domain, @Ctx() context: Context): Promise<LoanInstalment[]> {
      const dues = (await loadDues(context, facility.facilityId))!
      const byNumber = new Map(dues.map((due) => [due.number, due]))
      const lines = currentVersion(facility)?.schedule.instalments ?? []
      return lines.map((line) => loanInstalmentOut(line, facility, byNumber.get(line.number)))
    }

    @FieldResolver(() => Delinquency)
    async delinquency(@Root() facility: Domain, @Ctx() context: Context): Promise<Delinquency> {
      const dues = (await loadDues(context, facility.facilityId))!
      return delinquencyOut(dues, facility, dateOf(context.now()))
    }

    @FieldResolver(() => CostOfCredit, {
      nullable: true,
      description: 'The cost of the loan; null for a revolving limit.',
    })
    costOfCredit(@Root() facility: Domain): CostOfCredit | null {
      return costOut(facility)
    }

    @FieldResolver(() => PayoffQuote, {
      nullable: true,
      description: 'What pays everything on a day from today on; null when nothing is owed.',
    })
    async payoffQuote(
      @Root() facility: Domain,
      @Arg('on', () => LocalDateScalar, { nullable: true }) on: string | null,
      @Ctx() context: Context,
    ): Promise<PayoffQuote | null> {
      const figure = await quotePayoff(context, facility, on ?? null)
      return figure && payoffOut(figure, facility.currency)
    }
  }
  return FiguresResolver
}

export const FacilityFiguresResolver = figuresOf(Facility)
export const LoanFiguresResolver = figuresOf(Loan)
