import type {
  CreateProductMutationVariables,
  FeeFrequency,
  FeePartsFragment,
  ProductParameterType,
  RateResetFrequency,
  VersionPartsFragment,
} from './queries.generated.ts'

type Input = CreateProductMutationVariables['input']
type FeeInput = NonNullable<Input['fees']>[number]
type RateResetInput = NonNullable<NonNullable<Input['interest']>['reset']>

interface ParameterValues {
  name: string
  type: ProductParameterType
  minimum: string
  maximum: string
  default: string
}

export interface FeeValues {
  code: string
  name: string
  frequency: FeeFrequency
  /** Whether `value` is an amount or a percentage; tiers are taken over from the former version. */
  kind: 'amount' | 'percent' | 'tiers'
  value: string
  currency: string
  /** The tiers, bounds and waivers of the former version, which stay as they are. */
  rest: Omit<FeeInput, 'code' | 'name' | 'frequency' | 'amount' | 'percent'>
}

/** What a person enters to create a version of a product. */
export interface VersionValues {
  productId: string
  version: string
  name: string
  productClass: string
  status: string
  description: string
  currencies: string[]
  basePct: string
  marginPct: string
  referenceRate: string
  /** How often the rate is reset; empty if it does not follow the reference rate. */
  resetFrequency: string
  lookbackDays: string
  minimumRatePct: string
  maximumRatePct: string
  maxPerCustomer: string
  effectiveFrom: string
  effectiveTo: string
  parameters: ParameterValues[]
  fees: FeeValues[]
  /** The terms of the former version that the form does not change. */
  rest: Pick<Input, 'depositInterest' | 'overdraft'>
}

export const emptyVersion: VersionValues = {
  productId: '',
  version: '',
  name: '',
  productClass: '',
  status: 'draft',
  description: '',
  currencies: ['EUR'],
  basePct: '',
  marginPct: '',
  referenceRate: '',
  resetFrequency: '',
  lookbackDays: '2',
  minimumRatePct: '0',
  maximumRatePct: '',
  maxPerCustomer: '',
  effectiveFrom: '',
  effectiveTo: '',
  parameters: [],
  fees: [],
  rest: {},
}

export const emptyFee: FeeValues = {
  code: '',
  name: '',
  frequency: 'MONTHLY',
  kind: 'amount',
  value: '',
  currency: 'EUR',
  rest: {},
}

/** Returns the values with which the form of the next version begins: all but its label. */
export function valuesFrom(product: VersionPartsFragment): VersionValues {
  const { productId, name, productClass, currencies, interest } = product
  return {
    productId,
    version: '',
    name,
    productClass,
    status: 'draft',
    description: product.description ?? '',
    currencies: [...currencies],
    basePct: interest?.basePct ?? '',
    marginPct: interest?.marginPct ?? '',
    referenceRate: interest?.referenceRate ?? '',
    resetFrequency: interest?.reset?.frequency ?? '',
    lookbackDays: String(interest?.reset?.lookbackDays ?? 2),
    minimumRatePct: interest?.reset?.minimumRatePct ?? '0',
    maximumRatePct: interest?.reset?.maximumRatePct ?? '',
    maxPerCustomer: String(product.maxPerCustomer ?? ''),
    effectiveFrom: product.effectiveFrom ?? '',
    effectiveTo: product.effectiveTo ?? '',
    parameters: product.parameters.map((parameter) => ({
      name: parameter.name,
      type: parameter.type,
      minimum: parameter.minimum ?? '',
      maximum: parameter.maximum ?? '',
      default: parameter.default ?? '',
    })),
    fees: product.fees.map(feeFrom),
    rest: withoutTypes({
      depositInterest: product.depositInterest,
      overdraft: product.overdraft,
    }),
  }
}

function feeFrom(fee: FeePartsFragment): FeeValues {
  const { code, name, frequency, amount, percent, ...rest } = fee
  return {
    code,
    name: name ?? '',
    frequency,
    kind: rest.tiers.length > 0 ? 'tiers' : amount ? 'amount' : 'percent',
    value: amount?.amount ?? percent ?? '',
    currency: amount?.currency ?? 'EUR',
    rest: withoutTypes(rest),
  }
}

/** The graph's answers name the type of each object; inputs must not. */
const withoutTypes = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value), (key, each: unknown) =>
    key === '__typename' ? undefined : each,
  ) as Value

const decimal = (text: string) => text.trim().replace(',', '.')

/** Whether a fee can be charged on behalf of a third party. */
const isChargedSingly = (frequency: FeeFrequency) =>
  frequency === 'ON_EVENT' || frequency === 'ON_REQUEST'

function feeInput({ code, name, frequency, kind, value, currency, rest }: FeeValues): FeeInput {
  return {
    ...rest,
    trigger: frequency === 'ON_EVENT' ? rest.trigger : null,
    thirdParty: isChargedSingly(frequency) ? rest.thirdParty : null,
    code: code.trim(),
    frequency,
    ...(name.trim() && { name: name.trim() }),
    ...(kind === 'amount' && { amount: { amount: decimal(value), currency } }),
    ...(kind === 'percent' && { percent: decimal(value) }),
  }
}

/** Returns the entered texts that are not empty. */
const entered = <Name extends string>(texts: Record<Name, string>): { [Each in Name]?: string } =>
  Object.fromEntries(
    Object.entries<string>(texts)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  ) as { [Each in Name]?: string }

function resetOf({ resetFrequency, lookbackDays, ...bounds }: VersionValues): RateResetInput {
  return {
    frequency: resetFrequency as RateResetFrequency,
    lookbackDays: Number(lookbackDays.trim() || 2),
    ...entered({
      minimumRatePct: decimal(bounds.minimumRatePct),
      maximumRatePct: decimal(bounds.maximumRatePct),
    }),
  }
}

/** Returns the input of the mutation. */
export function inputOf(values: VersionValues): Input {
  const { productId, version, name, productClass, status, currencies } = values
  const { basePct, marginPct, referenceRate, maxPerCustomer } = values
  const { description, effectiveFrom, effectiveTo } = values
  return {
    ...values.rest,
    productId: productId.trim(),
    version: version.trim(),
    name: name.trim(),
    productClass: productClass.trim(),
    status,
    ...entered({ description, effectiveFrom, effectiveTo }),
    ...(currencies.length > 0 && { currencies }),
    ...(basePct.trim() && {
      interest: {
        basePct: decimal(basePct),
        ...entered({ marginPct: decimal(marginPct), referenceRate }),
        ...(values.resetFrequency && { reset: resetOf(values) }),
      },
    }),
    ...(maxPerCustomer.trim() && { maxPerCustomer: Number(maxPerCustomer) }),
    parameters: values.parameters.map(({ name: parameter, type, ...bounds }) => ({
      name: parameter.trim(),
      type,
      ...entered(bounds),
    })),
    fees: values.fees.map(feeInput),
  }
}

/** Returns what is missing, by field. */
export function errorsOf({ productId, version, name, productClass, ...values }: VersionValues) {
  const lists = [
    ...values.fees.flatMap(({ code, kind, value }, index) => [
      ...(code.trim() ? [] : [`fees.${index}.code`]),
      ...(kind === 'tiers' || value.trim() ? [] : [`fees.${index}.value`]),
    ]),
    ...values.parameters.flatMap(({ name: parameter }, index) =>
      parameter.trim() ? [] : [`parameters.${index}.name`],
    ),
  ]
  return {
    ...(!productId.trim() && { productId: 'Required.' }),
    ...(!/^\d{4}\.\d{1,2}$/.test(version.trim()) && {
      version: 'A year and a month, such as 2026.10.',
    }),
    ...(!name.trim() && { name: 'Required.' }),
    ...(!productClass.trim() && { productClass: 'Required.' }),
    ...(values.resetFrequency &&
      !values.referenceRate.trim() && { referenceRate: 'Which rate does it follow?' }),
    ...(values.resetFrequency && !values.basePct.trim() && { basePct: 'Required.' }),
    ...Object.fromEntries(lists.map((field) => [field, 'Required.'])),
  }
}

/** Returns the field of a pointer: `/input/fees/0/amount/amount` → `fees.0.value`. */
export function fieldOf(pointer: string): string | undefined {
  const [list = '', index, name] = pointer.replace('/input/', '').replace(/^\//, '').split('/')
  if (list === 'fees' && (name === 'amount' || name === 'percent')) return `fees.${index}.value`
  if (list === 'interest') return index === 'reset' ? (name ?? 'resetFrequency') : index
  return [list, index, name].filter(Boolean).join('.')
}
