import { Facts, Money } from '../../parts/values.tsx'
import { readable, type MoneyValue } from '../../parts/format.ts'
import type { ReactNode } from 'react'

/** The arguments or the result of a tool, as names and values. */
export const ToolData = ({ data }: { data: unknown }) => <Facts facts={factsIn(data, [])} />

type Fact = readonly [string, ReactNode]

function factsIn(value: unknown, path: readonly string[]): Fact[] {
  if (isMoney(value)) return [[nameOf(path), <Money key="money" value={value} />]]
  if (value !== null && typeof value === 'object') {
    return Object.entries(value).flatMap(([name, member]) => factsIn(member, [...path, name]))
  }
  return [[nameOf(path), value === null ? null : String(value as string | number | boolean)]]
}

const isMoney = (value: unknown): value is MoneyValue =>
  value !== null &&
  typeof value === 'object' &&
  Object.keys(value).toSorted().join() === 'amount,currency'

/** `['before', 'nextInstallment']` → `Before: next installment`; entries of lists are numbered. */
const nameOf = (path: readonly string[]): string =>
  readable(
    path.map((name) => (/^\d+$/.test(name) ? String(Number(name) + 1) : words(name))).join(': '),
  )

/** `debtorArrangementId` → `debtor arrangement`. */
const words = (name: string) =>
  name.replace(/Id$/, '').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
