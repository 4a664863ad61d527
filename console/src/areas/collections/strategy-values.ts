import { readable } from '../../parts/format.ts'
import type {
  CollectionsAction,
  CollectionsChannel,
  CollectionsPriority,
  CollectionsSegment,
  CollectionsStrategyPartsFragment,
  ProposeCollectionsStrategyInput,
} from './queries.generated.ts'

export const actions: readonly CollectionsAction[] = ['SEND_LETTER', 'OPEN_CASE', 'ESCALATE']
export const channels: readonly CollectionsChannel[] = ['SECURE_MESSAGE', 'EMAIL', 'SMS', 'PUSH']
export const priorities: readonly CollectionsPriority[] = ['LOW', 'NORMAL', 'HIGH', 'URGENT']
export const segments: readonly CollectionsSegment[] = [
  'CONSUMER_LOAN',
  'MORTGAGE',
  'SME_FACILITY',
  'REVOLVING',
  'OVERDRAFT',
]

/** Returns the values as the options of a `Select`. */
export const optionsOf = (values: readonly string[]) =>
  values.map((value) => ({ value, label: readable(value) }))

/** Returns the contracts for which a strategy is, as a text. */
export function scopeOf({
  productId,
  segment,
}: Pick<CollectionsStrategyPartsFragment, 'productId' | 'segment'>): string {
  if (productId) return `Product ${productId}`
  return segment ? readable(segment) : 'All contracts'
}

/** A step as people type it. */
export interface StepValues {
  code: string
  fromDaysPastDue: string
  action: CollectionsAction
  templateCode: string
  channel: CollectionsChannel
  priority: CollectionsPriority
  routingProfileId: string
}

/** A strategy as people type it. */
export interface StrategyValues {
  /** `ALL`, `SEGMENT` or `PRODUCT`. */
  scope: string
  productId: string
  segment: CollectionsSegment
  effectiveFrom: string
  daysBetweenLetters: string
  /** Amounts below which nothing is pursued, such as `20.00 EUR`. */
  minimumAmounts: string[]
  steps: StepValues[]
  reason: string
}

export const emptyStep: StepValues = {
  code: '',
  fromDaysPastDue: '',
  action: 'SEND_LETTER',
  templateCode: '',
  channel: 'SECURE_MESSAGE',
  priority: 'NORMAL',
  routingProfileId: '',
}

/** Returns the values with which a form begins: those of a former version, or one empty step. */
export function valuesOf(former: CollectionsStrategyPartsFragment | null): StrategyValues {
  return {
    scope: former?.productId ? 'PRODUCT' : former?.segment ? 'SEGMENT' : 'ALL',
    productId: former?.productId ?? '',
    segment: former?.segment ?? 'CONSUMER_LOAN',
    effectiveFrom: '',
    daysBetweenLetters: String(former?.daysBetweenLetters ?? 7),
    minimumAmounts:
      former?.minimumAmounts.map(({ amount, currency }) => `${amount} ${currency}`) ?? [],
    steps: former?.steps.map((step) => ({
      code: step.code,
      fromDaysPastDue: String(step.fromDaysPastDue),
      action: step.action,
      templateCode: step.templateCode ?? '',
      channel: step.channel ?? 'SECURE_MESSAGE',
      priority: step.priority ?? 'NORMAL',
      routingProfileId: step.routingProfileId ?? '',
    })) ?? [emptyStep],
    reason: '',
  }
}

const minimumAmount = /^(\d+(?:[.,]\d+)?) ?([A-Za-z]{3})$/

const days = /^[1-9]\d{0,4}$/

/** Returns what is wrong with the typed values, by the path of the field. */
export function errorsOf(values: StrategyValues): Record<string, string> {
  const errors: Record<string, string> = {}
  if (!values.reason.trim()) errors['reason'] = 'Required.'
  if (values.scope === 'PRODUCT' && !values.productId.trim()) errors['productId'] = 'Required.'
  if (!days.test(values.daysBetweenLetters.trim()))
    errors['daysBetweenLetters'] = 'A number of days.'
  if (values.minimumAmounts.some((text) => !minimumAmount.test(text.trim()))) {
    errors['minimumAmounts'] = 'Amounts such as 20.00 EUR.'
  }
  values.steps.forEach(
    ({ code, fromDaysPastDue, action, templateCode, routingProfileId }, index) => {
      const field = (name: keyof StepValues) => `steps.${index}.${name}`
      if (!code.trim()) errors[field('code')] = 'Required.'
      if (!days.test(fromDaysPastDue.trim())) errors[field('fromDaysPastDue')] = 'A number of days.'
      if (action === 'SEND_LETTER' && !templateCode.trim())
        errors[field('templateCode')] = 'Required.'
      if (action === 'ESCALATE' && !routingProfileId.trim()) {
        errors[field('routingProfileId')] = 'Required.'
      }
    },
  )
  return errors
}

/** Returns the typed values as the mutation expects them. */
export function inputOf(values: StrategyValues): ProposeCollectionsStrategyInput {
  const { scope, productId, segment, effectiveFrom, daysBetweenLetters, reason } = values
  return {
    ...(scope === 'PRODUCT' && { productId: productId.trim() }),
    ...(scope === 'SEGMENT' && { segment }),
    ...(effectiveFrom && { effectiveFrom }),
    daysBetweenLetters: Number(daysBetweenLetters),
    minimumAmounts: values.minimumAmounts.map((text) => {
      const [, amount, currency] = minimumAmount.exec(text.trim())!
      return { amount: amount!.replace(',', '.'), currency: currency!.toUpperCase() }
    }),
    steps: values.steps.map(stepOf),
    reason: reason.trim(),
  }
}

function stepOf(step: StepValues): ProposeCollectionsStrategyInput['steps'][number] {
  const { action, templateCode, channel, priority, routingProfileId } = step
  return {
    code: step.code.trim(),
    fromDaysPastDue: Number(step.fromDaysPastDue),
    action,
    ...(action === 'SEND_LETTER'
      ? { templateCode: templateCode.trim(), channel }
      : routingProfileId.trim() && { routingProfileId: routingProfileId.trim() }),
    ...(action === 'OPEN_CASE' && { priority }),
  }
}
