import type { AnyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** An entry of the navigation. */
export interface NavigationEntry {
  label: string
  /** What people do on the page, for those who see it the first time. */
  about: string
  path: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  /** The scope without which the page shows nothing; undefined for pages that everybody may open. */
  scope?: string
  /** The letter that opens the page after `g`. */
  key?: string
  /** Paths of other pages that belong to the entry, such as those of its records. */
  covers?: readonly string[]
  /** Whether the page is for customers, for employees, or for both. */
  for: 'customers' | 'employees' | 'everybody'
}

/** The headings below which employees find the pages. */
export type NavigationGroup = 'Customers' | 'Lending' | 'Service' | 'Bank'

/** What an area contributes to the console: the pages below its path, and its navigation entries. */
export interface ConsoleArea {
  /** The heading above the entries of the area; without one, they follow those before them. */
  group?: NavigationGroup
  navigation: readonly NavigationEntry[]
  routes: readonly AnyRoute[]
}
