import type { Subgraph } from '../kernel/graph/subgraph.ts'
import { accounts } from './accounts/index.ts'
import { assist } from './assist/index.ts'
import { casework } from './casework/index.ts'
import { channels } from './channels/index.ts'
import { collateral } from './collateral/index.ts'
import { collections } from './collections/index.ts'
import { events } from './events/index.ts'
import { fees } from './fees/index.ts'
import { generalLedger } from './general-ledger/index.ts'
import { interest } from './interest/index.ts'
import { lending } from './lending/index.ts'
import { notifications } from './notifications/index.ts'
import { operations } from './operations/index.ts'
import { origination } from './origination/index.ts'
import { parties } from './parties/index.ts'
import { payments } from './payments/index.ts'
import { privacy } from './privacy/index.ts'
import { products } from './products/index.ts'
import { provisioning } from './provisioning/index.ts'
import { staff } from './staff/index.ts'

/** The list of all subgraphs, in the order of the specification's areas. */
export const subgraphs: readonly Subgraph[] = [
  parties,
  products,
  channels,
  accounts,
  payments,
  origination,
  lending,
  collateral,
  provisioning,
  collections,
  casework,
  notifications,
  assist,
  events,
  fees,
  interest,
  operations,
  staff,
  privacy,
  generalLedger,
]
