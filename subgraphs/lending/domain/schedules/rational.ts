import { roundHalfEven } from '../../../../kernel/domain/rational.ts'

/** Rounds num / den to the nearest multiple. Exact halves are rounded to the even multiple. */
export function roundToMultiple(num: bigint, den: bigint, multiple: bigint): bigint {
  return multiple === 1n ? roundHalfEven(num, den) : roundHalfEven(num, den * multiple) * multiple
}

export function smallest(one: bigint, other: bigint): bigint {
  return one < other ? one : other
}
