/**
 * Returns the calendar years of which a contract has a certificate, at most the last two: from that of its
 * opening to that of today. Empty while today is not known.
 */
export function certificateYears(openedOn: string, today: string): number[] {
  const [opened, current] = [openedOn, today].map((day) => Number(day.slice(0, 4)))
  return [current! - 1, current!].filter((year) => year >= opened!)
}
