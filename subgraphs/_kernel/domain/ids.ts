/** Ids may come from the client; this is what they may look like. */
export const idPattern = /^[A-Za-z0-9._:~-]{1,64}$/

/** The prefix of each kind of id we make, so that an id says what it names. */
export const idPrefixes = {
  party: 'pty',
  customer: 'cus',
  agreement: 'agr',
  product: 'prd',
  offer: 'off',
  quote: 'quo',
  arrangement: 'arr',
  template: 'tpl',
  notification: 'ntf',
  mail: 'mail',
  event: 'evt',
  subscription: 'sub',
  webhookEndpoint: 'whk',
  delivery: 'dlv',
  collateral: 'col',
  facility: 'fac',
  application: 'app',
  decision: 'dec',
  hardshipRequest: 'hrd',
  paymentHoliday: 'hol',
  extraPayment: 'xpm',
  drawdown: 'drw',
  postingInstruction: 'pin',
  postingBatch: 'pib',
  entry: 'ent',
  feeRun: 'fee',
  routingProfile: 'rtp',
  interaction: 'int',
  case: 'case',
  document: 'doc',
  assistSession: 'ses',
  assistMessage: 'msg',
  toolCall: 'tcl',
  campaign: 'cmp',
  entitlement: 'grant',
} as const

export type IdKind = keyof typeof idPrefixes
