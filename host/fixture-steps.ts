import {
  Kind,
  parse,
  valueFromASTUntyped,
  type DocumentNode,
  type OperationDefinitionNode,
} from 'graphql'
import { addDays, dateOf, daysInMonth, type LocalDate } from '../kernel/domain/dates.ts'

/** One execution of a fixture. */
export interface FixtureStep {
  /** The idempotency key of the execution. */
  key: string
  name: string
  document: DocumentNode
  variables: Record<string, string>
  /**
   * The time in the past as of which the fixture is executed; null if it is executed as of the
   * current time.
   */
  happenedAt: Date | null
}

/** The arguments of the directive `@happened`, which dates a fixture in the past. */
interface HappenedArguments {
  /** The time of day in UTC, `HH:MM`. */
  at: string
  /** The number of days before today. For a list, the fixture is executed once for each number. */
  daysAgo: number | number[]
  /**
   * If given, the fixture is executed once a month for this number of months, and the last time
   * `daysAgo` days before today.
   */
  months?: number
  /** The value of `$amount` for each execution, in the order of their dates. */
  amounts?: string[]
}

/**
 * Returns the executions of the fixtures in a GraphQL document, in their order, for a first start
 * on `today`. Consecutive dated fixtures are sorted by date, because entries of an account must be
 * booked in the order of time.
 * Throws an Error that names a fixture with an invalid variable or date.
 */
export function fixtureSteps(source: string, today: LocalDate): FixtureStep[] {
  const steps: FixtureStep[] = []
  let datedSteps: FixtureStep[] = []
  const appendDatedSteps = () => {
    steps.push(...datedSteps.sort((a, b) => a.happenedAt!.getTime() - b.happenedAt!.getTime()))
    datedSteps = []
  }
  for (const definition of parse(source, { noLocation: true }).definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const happened = happenedOf(definition)
    if (happened) {
      datedSteps.push(...pastSteps(definition, happened, today))
      continue
    }
    appendDatedSteps()
    steps.push(stepOf(definition, { today, happenedAt: null }))
  }
  appendDatedSteps()
  return steps
}

function pastSteps(
  definition: OperationDefinitionNode,
  { at, daysAgo, months, amounts }: HappenedArguments,
  today: LocalDate,
): FixtureStep[] {
  const name = nameOf(definition)
  const days = [daysAgo].flat().map((each) => addDays(today, -each))
  const dates = months ? monthsUpTo(days[0]!, months) : days
  if (amounts && amounts.length !== dates.length) {
    throw new Error(`The fixture ${name} must have one amount for each day.`)
  }
  return dates.map((date, index) => {
    const happenedAt = new Date(`${date}T${at}:00Z`)
    if (!(date < today) || Number.isNaN(happenedAt.getTime())) {
      throw new Error(`The fixture ${name} must have a date before today.`)
    }
    const number = dates.length > 1 ? index + 1 : undefined
    return stepOf(definition, { today, happenedAt, number, amount: amounts?.[index] })
  })
}

/**
 * Returns the same day of consecutive months up to `lastDate`, oldest first. A day on a weekend is
 * moved to the Friday before.
 */
function monthsUpTo(lastDate: LocalDate, months: number): LocalDate[] {
  return Array.from({ length: months }, (_, index) =>
    weekdayUpTo(monthsBefore(lastDate, months - 1 - index)),
  )
}

/** Returns the same day of an earlier month, or the last day of that month if it is shorter. */
function monthsBefore(date: LocalDate, months: number): LocalDate {
  const [year, month, day] = date.split('-').map(Number) as [number, number, number]
  const firstDay = new Date(Date.UTC(year, month - 1 - months, 1))
  const lastDay = daysInMonth(firstDay.getUTCFullYear(), firstDay.getUTCMonth() + 1)
  return addDays(dateOf(firstDay), Math.min(day, lastDay) - 1)
}

function weekdayUpTo(date: LocalDate): LocalDate {
  const weekday = new Date(`${date}T00:00:00Z`).getUTCDay()
  const daysAfterFriday = weekday === 6 ? 1 : weekday === 0 ? 2 : 0
  return addDays(date, -daysAfterFriday)
}

interface Execution {
  today: LocalDate
  happenedAt: Date | null
  /** The number of the execution, starting at 1; undefined if the fixture has only one. */
  number?: number | undefined
  amount?: string | undefined
}

function stepOf(definition: OperationDefinitionNode, execution: Execution): FixtureStep {
  const name = nameOf(definition)
  const { number, happenedAt } = execution
  return {
    key: number ? `fixture:${name}:${number}` : `fixture:${name}`,
    name,
    document: { kind: Kind.DOCUMENT, definitions: [{ ...definition, directives: [] }] },
    variables: variablesOf(definition, execution),
    happenedAt,
  }
}

/**
 * Returns the values of a fixture's variables. Supported are `$today`, `$daysAgo<number>`,
 * `$monthsAgo<number>`, which is a month such as `2026-03`, and `$amount`.
 */
function variablesOf(
  definition: OperationDefinitionNode,
  { today, amount }: Execution,
): Record<string, string> {
  const valueOf = (variable: string) => {
    if (variable === 'today') return today
    if (variable === 'amount') return amount
    const months = /^monthsAgo(\d{1,3})$/.exec(variable)?.[1]
    if (months) return monthsBefore(today, Number(months)).slice(0, 7)
    const days = /^daysAgo(\d{1,4})$/.exec(variable)?.[1]
    return days && addDays(today, -Number(days))
  }
  return Object.fromEntries(
    (definition.variableDefinitions ?? []).map(({ variable: { name } }) => {
      const value = valueOf(name.value)
      if (value) return [name.value, value]
      throw new Error(`The fixture ${nameOf(definition)} has no value for $${name.value}.`)
    }),
  )
}

function happenedOf({ directives = [] }: OperationDefinitionNode): HappenedArguments | null {
  const directive = directives.find(({ name }) => name.value === 'happened')
  if (!directive) return null
  const values = (directive.arguments ?? []).map(({ name, value }) => [
    name.value,
    valueFromASTUntyped(value),
  ])
  return Object.fromEntries(values) as HappenedArguments
}

function nameOf({ name }: OperationDefinitionNode): string {
  return name!.value
}
