import type { ComponentType } from 'react'
import type { ConsoleArea } from './area.ts'

/** Where an extension can add a panel to a page of the bank. */
export interface PanelSlots {
  'customer.overview': { partyId: string }
  'account.overview': { arrangementId: string }
  'loan.overview': { loanId: string }
}

/** A panel of an extension: the place it is shown in, and the component. */
export type Panel = {
  [Slot in keyof PanelSlots]: { slot: Slot; component: ComponentType<PanelSlots[Slot]> }
}[keyof PanelSlots]

/** What a folder in `console/src/extensions` exports as `extension` from its `index.tsx`. */
export interface Extension {
  area?: ConsoleArea
  panels?: readonly Panel[]
}

const modules = import.meta.glob<{ extension: Extension }>('../extensions/*/index.tsx', {
  eager: true,
})

/** The bank's own extensions, in the order of their folders' names. */
export const extensions: readonly Extension[] = Object.keys(modules)
  .sort()
  .map((path) => modules[path]!.extension)

/** Returns the panels that extensions add to a place. */
export function panelsAt<Slot extends keyof PanelSlots>(
  slot: Slot,
): readonly ComponentType<PanelSlots[Slot]>[] {
  return extensions
    .flatMap(({ panels = [] }) => panels)
    .filter((panel) => panel.slot === slot)
    .map(({ component }) => component as ComponentType<PanelSlots[Slot]>)
}
