import {
  boolean,
  currency,
  date,
  entity,
  id,
  input,
  instant,
  integer,
  label,
  list,
  object,
  oneOf,
  shape,
  stored,
  text,
  type TypeOf,
} from '../../../kernel/domain/model.ts'
import { stateMachine } from '../../../kernel/domain/state-machine.ts'
import { ProductDepositInterest } from './deposit-interest.ts'
import { SelfServiceSettingState } from './enumerations.ts'

export const SelfServiceSetting = entity(
  'SelfServiceSetting',
  'selfServiceSettingId',
  'Whether customers may open accounts of a product themselves. The setting of the product that was ' +
    'approved last applies.',
  {
    selfServiceSettingId: id('The ID of the setting.').inEvents(),
    productId: id('The ID of the product.').inEvents(),
    isAllowed: boolean('Whether customers may open accounts of the product themselves.').inEvents(),
    reason: text('Why the setting is proposed.'),
    state: oneOf(SelfServiceSettingState, 'The state of the setting.').inEvents(),
    proposedBy: label('The access token subject of the person who proposed the setting.'),
    decidedBy: label(
      'The access token subject of the person who decided; null while the setting is proposed.',
    ).orNull(),
    decidedAt: instant(
      'When the setting was approved or rejected, in UTC; null while it is proposed.',
    ).orNull(),
    createdAt: instant('When the setting was proposed, in UTC.'),
    contentHash: stored<string>(),
    version: stored<number>(),
    updatedAt: stored<Date>(),
  },
)
export type SelfServiceSetting = TypeOf<typeof SelfServiceSetting>

const fourEyes =
  'The person who proposed the setting cannot decide on it. Not available to delegated users.'
const decided = ({ now, subject }: { now: Date; subject: string }) => ({
  decidedBy: subject,
  decidedAt: now,
})

export const selfServiceSettingStates = stateMachine(SelfServiceSetting, 'state', {
  approveSelfServiceSetting: {
    description: `Approves a self-service setting, which then applies to its product. ${fourEyes}`,
    scope: 'products:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'approved',
    event: [
      'products.self-service-setting.approved',
      'It was approved whether customers may open accounts of a product themselves.',
    ],
    set: decided,
  },
  rejectSelfServiceSetting: {
    description: `Rejects a self-service setting. ${fourEyes}`,
    scope: 'products:approve',
    needsPerson: true,
    from: ['proposed'],
    to: 'rejected',
    event: ['products.self-service-setting.rejected', 'A self-service setting was rejected.'],
    set: decided,
  },
})

export const ProposeSelfServiceSettingInput = input(
  'ProposeSelfServiceSettingInput',
  'A self-service setting to propose for a product.',
  {
    selfServiceSettingId: id('The ID of the setting; generated if omitted.').orNull(),
    productId: id('The ID of a product of the class `savings-account` or `term-deposit`.'),
    isAllowed: boolean('Whether customers may open accounts of the product themselves.'),
    reason: text('Why the setting is proposed.'),
  },
)
export type ProposeSelfServiceSettingInput = TypeOf<typeof ProposeSelfServiceSettingInput>

export const DepositOffer = shape(
  'DepositOffer',
  'A deposit product that customers may open themselves today, with the rates of today.',
  {
    productId: id('The ID of the product.'),
    productVersion: label(
      'The version of the product on sale. Whoever opens a deposit names it, to accept its terms.',
    ),
    name: label('The name of the product.'),
    description: text('A description of the product; null if none was given.').orNull(),
    productClass: label('The class of the product: `savings-account` or `term-deposit`.'),
    currencies: list(
      currency(),
      'The currencies in which the product is offered. The first one is the default.',
    ),
    maxPerCustomer: integer(
      'The maximum number of accounts of the product that a customer can have at the same time; ' +
        'null if there is no maximum.',
    ).orNull(),
    effectiveTo: date('The last day of the offer; null if it has none.').orNull(),
    interest: object(
      ProductDepositInterest,
      'The interest that the product pays. The rates of its tiers are those of today, with the ' +
        'reference rate if there is one. Null if the product pays no interest.',
    ).orNull(),
  },
)
export type DepositOffer = TypeOf<typeof DepositOffer>
