import { Problem } from '../../../../kernel/domain/problem.ts'
import type { Facility } from '../facilities/facility.ts'
import type { ServicedFacility } from './servicing.ts'

/** A range of days past due. `toDays` is inclusive; null in the last bucket, which has no end. */
export interface DelinquencyBucket {
  label: string
  fromDays: number
  toDays: number | null
}

/** Up to twelve numbers of at most four digits, separated by commas, such as `1,30,60,90`. */
const bucketsPattern = /^[1-9]\d{0,3}(,[1-9]\d{0,3}){0,11}$/

/**
 * Returns the first days of the buckets as a product's parameter `delinquencyBuckets` gives them:
 * increasing numbers of days past due, separated by commas. A parameter that is missing or invalid
 * gives an empty text, which means that there are no buckets.
 */
export function readBuckets(parameter: string | null | undefined): string {
  const text = (parameter ?? '').replaceAll(' ', '')
  if (!bucketsPattern.test(text)) return ''
  const starts = bucketStarts(text)
  const isIncreasing = starts.every((start, index) => index === 0 || start > starts[index - 1]!)
  return isIncreasing ? text : ''
}

/** Returns the numbers of days past due at which the buckets begin, in increasing order. */
export function bucketStarts(buckets: string): number[] {
  return buckets === '' ? [] : buckets.split(',').map(Number)
}

/** Returns the buckets in increasing order. They are labeled like `30-59` and, the last one, `90+`. */
export function bucketsOf(buckets: string): DelinquencyBucket[] {
  const starts = bucketStarts(buckets)
  return starts.map((fromDays, index) => {
    const next = starts[index + 1]
    if (next === undefined) return { label: `${fromDays}+`, fromDays, toDays: null }
    return { label: `${fromDays}-${next - 1}`, fromDays, toDays: next - 1 }
  })
}

const labelPattern = /^[1-9]\d{0,3}(\+|-[1-9]\d{0,3})$/

/** Throws VALIDATION_FAILED for a text of a filter that is not the label of a bucket. */
export function requireBucketLabel(label: string | null | undefined): void {
  if (label === null || label === undefined || labelPattern.test(label)) return
  const detail = `"${label.slice(0, 64)}" is not the label of a bucket such as 30-59 or 90+.`
  const fault = { pointer: '/delinquencyBucket', code: 'FORMAT', detail }
  throw new Problem('VALIDATION_FAILED', { detail, errors: [fault] })
}

/** Returns the label of the bucket for a number of days past due; null below the first bucket. */
export function bucketLabel(buckets: string, daysPastDue: number): string | null {
  return bucketsOf(buckets).findLast(({ fromDays }) => fromDays <= daysPastDue)?.label ?? null
}

/** Returns the bucket that a facility is in; null if it is in none. */
export function bucketOf({
  delinquencyBuckets,
  delinquencyBucket,
}: Pick<Facility, 'delinquencyBuckets' | 'delinquencyBucket'>): DelinquencyBucket | null {
  const buckets = bucketsOf(delinquencyBuckets)
  return buckets.find(({ label }) => label === delinquencyBucket) ?? null
}

/** Puts a facility into the bucket for its days past due. Adds an event if the bucket changed. */
export function withBucket(serviced: ServicedFacility, daysPastDue: number): ServicedFacility {
  const { facility, eventNames } = serviced
  const delinquencyBucket = bucketLabel(facility.delinquencyBuckets, daysPastDue)
  if (delinquencyBucket === facility.delinquencyBucket) return serviced
  return {
    ...serviced,
    facility: { ...facility, delinquencyBucket },
    eventNames: [...eventNames, 'delinquency-bucket-changed'],
  }
}
