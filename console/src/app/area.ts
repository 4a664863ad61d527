import type { AnyRoute } from '@tanstack/react-router'
import type { ComponentType } from 'react'

/** An entry of the navigation. */
export interface NavigationEntry {
  label: string
  path: string
  icon: ComponentType<{ size?: number; stroke?: number }>
  /** The scope without which the page shows nothing; undefined for pages that everybody may open. */
  scope?: string
  /** Whether the page is for customers, for employees, or for both. */
  for: 'customers' | 'employees' | 'everybody'
}

/** What an area contributes to the console: the pages below its path, and its navigation entries. */
export interface ConsoleArea {
  navigation: readonly NavigationEntry[]
  routes: readonly AnyRoute[]
}
