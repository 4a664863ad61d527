import { columnNameOf } from './column-name.ts'

/** A condition in SQL about the table alias `t`. Each `?` stands for the value at the same position. */
export interface SqlCondition {
  sql: string
  values: readonly unknown[]
}

/**
 * Translates a condition for Prisma to SQL. Returns null for a condition that is not supported.
 * Equality, lists of values, `has`, `array_contains`, AND and OR are supported.
 */
export function sqlConditionOf(where: object): SqlCondition | null {
  const parts = Object.entries(where).map(([name, condition]) => {
    if (name === 'AND') return joined((condition as object[]).map(sqlConditionOf), 'and')
    if (name === 'OR') return joined((condition as object[]).map(sqlConditionOf), 'or')
    return columnCondition(`t.${columnNameOf(name)}`, condition)
  })
  return joined(parts, 'and')
}

/** Joins conditions. Like Prisma, no condition at all is true for AND and false for OR. */
function joined(
  parts: readonly (SqlCondition | null)[],
  operator: 'and' | 'or',
): SqlCondition | null {
  const known = parts.filter((part) => part !== null)
  if (known.length < parts.length) return null
  const sql = known.map((part) => part.sql).join(` ${operator} `)
  return {
    sql: `(${sql || String(operator === 'and')})`,
    values: known.flatMap(({ values }) => values),
  }
}

/** The operators of Prisma, each with its SQL for a column. */
const operators: Record<string, (column: string) => string> = {
  equals: (column) => `${column} = ?`,
  not: (column) => `${column} <> ?`,
  in: (column) => `${column} = any(?)`,
  notIn: (column) => `${column} <> all(?)`,
  has: (column) => `? = any(${column})`,
  array_contains: (column) => `${column} @> (?)::jsonb`,
}

function columnCondition(column: string, condition: unknown): SqlCondition | null {
  if (condition === null) return { sql: `${column} is null`, values: [] }
  if (isPlainValue(condition)) return { sql: `${column} = ?`, values: [condition] }
  if (typeof condition !== 'object' || condition instanceof Date) return null
  const parts = Object.entries(condition).map(([name, value]): SqlCondition | null => {
    const operator = operators[name]
    if (!operator) return null
    if (name === 'array_contains') {
      return { sql: operator(column), values: [JSON.stringify(value)] }
    }
    const isSupported = Array.isArray(value) ? value.every(isPlainValue) : isPlainValue(value)
    return isSupported ? { sql: operator(column), values: [value] } : null
  })
  return joined(parts, 'and')
}

const isPlainValue = (value: unknown) => typeof value === 'string' || typeof value === 'boolean'
