import { useRouterState } from '@tanstack/react-router'
import { createContext, use } from 'react'
import { LinkItem } from '../parts/links.tsx'
import { useSession } from '../session/session.ts'
import type { NavigationEntry } from './area.ts'

/** The entries of all areas and extensions, whoever is logged in. */
export const NavigationContext = createContext<readonly NavigationEntry[]>([])

/** Returns the pages that the person can use. */
export function useNavigation(): readonly NavigationEntry[] {
  const { partyId, scopes } = useSession().person
  const entries = use(NavigationContext)
  const kind = partyId === null ? 'employees' : 'customers'
  return entries.filter(
    (entry) =>
      (entry.for === 'everybody' || entry.for === kind) &&
      (!entry.scope || scopes.has(entry.scope)),
  )
}

/** The pages that the person can use, as links. */
export function Navigation() {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isCurrent = (target: string) =>
    target === '/' ? path === '/' : path === target || path.startsWith(`${target}/`)
  return useNavigation().map(({ label, path: target, icon: Icon }) => (
    <LinkItem
      key={target}
      to={target}
      label={label}
      leftSection={<Icon size={18} stroke={1.7} />}
      active={isCurrent(target)}
      aria-current={isCurrent(target) ? 'page' : undefined}
      className="entry"
    />
  ))
}
