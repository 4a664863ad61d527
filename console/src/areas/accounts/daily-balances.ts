import { dayBefore } from '../../parts/days.ts'

interface Statement {
  from: string
  to: string
  openingBalance: string
  entries: readonly { bookedAt: string; balanceAfter: string; phase: string }[]
}

/** The balance at the end of a day, as a number: charts cannot draw exact decimals. */
interface DayBalance {
  day: string
  balance: number
}

/** Returns the booked balance at the end of each day of a statement, days without entries included. */
export function dailyBalances({ from, to, openingBalance, entries }: Statement): DayBalance[] {
  const last = new Map<string, string>()
  for (const { bookedAt, balanceAfter, phase } of entries) {
    if (phase === 'COMMITTED') last.set(bookedAt.slice(0, 10), balanceAfter)
  }
  const days: DayBalance[] = []
  let balance = openingBalance
  for (let day = from; day <= to; day = dayBefore(day, -1)) {
    balance = last.get(day) ?? balance
    days.push({ day, balance: Number(balance) })
  }
  return days
}
