import type { ConsoleArea } from '../app/area.ts'
import { accounts } from './accounts/area.ts'
import { assistant } from './assistant/area.ts'
import { casework } from './casework/area.ts'
import { channels } from './channels/area.ts'
import { collections } from './collections/area.ts'
import { customers } from './customers/area.ts'
import { explorer } from './explorer/area.ts'
import { fees } from './fees/area.ts'
import { generalLedger } from './general-ledger/area.ts'
import { home } from './home/area.ts'
import { lending } from './lending/area.ts'
import { logIns } from './log-ins/area.ts'
import { notifications } from './notifications/area.ts'
import { operations } from './operations/area.ts'
import { products } from './products/area.ts'
import { staff } from './staff/area.ts'
import { webhooks } from './webhooks/area.ts'

/** The areas of the console, in the order of the navigation. */
export const areas: readonly ConsoleArea[] = [
  home,
  customers,
  accounts,
  fees,
  lending,
  collections,
  casework,
  channels,
  notifications,
  assistant,
  products,
  generalLedger,
  operations,
  webhooks,
  staff,
  logIns,
  explorer,
]

/** The pages of all areas, with their types: the router checks each link against them. */
export const routes = [
  ...home.routes,
  ...customers.routes,
  ...accounts.routes,
  ...fees.routes,
  ...lending.routes,
  ...collections.routes,
  ...casework.routes,
  ...channels.routes,
  ...notifications.routes,
  ...assistant.routes,
  ...products.routes,
  ...generalLedger.routes,
  ...operations.routes,
  ...webhooks.routes,
  ...staff.routes,
  ...logIns.routes,
  ...explorer.routes,
] as const
