import { Link, useRouterState } from '@tanstack/react-router'
import { createContext, Fragment, use } from 'react'
import { useSession } from '../session/session.ts'
import type { NavigationEntry, NavigationGroup } from './area.ts'

interface GroupedEntry extends NavigationEntry {
  group: NavigationGroup | undefined
}

/** The entries of all areas and extensions, whoever is logged in. */
export const NavigationContext = createContext<readonly GroupedEntry[]>([])

/** Returns the pages that the person can use. */
export function useNavigation(): readonly GroupedEntry[] {
  const { partyId, scopes } = useSession().person
  const entries = use(NavigationContext)
  const kind = partyId === null ? 'employees' : 'customers'
  return entries.filter(
    (entry) =>
      (entry.for === 'everybody' || entry.for === kind) &&
      (!entry.scope || scopes.includes(entry.scope)),
  )
}

/** The pages that the person can use, as links; those of employees below headings. */
export function Navigation() {
  const isEmployee = useSession().person.partyId === null
  const entries = useNavigation()
  return entries.map((entry, index) => {
    const { group } = entry
    const isFirst = isEmployee && group !== undefined && group !== entries[index - 1]?.group
    return (
      <Fragment key={entry.path}>
        {isFirst && <div className="entry-group">{group}</div>}
        <Entry entry={entry} />
      </Fragment>
    )
  })
}

function Entry({
  entry: { label, path: target, covers = [], icon: Icon },
}: {
  entry: NavigationEntry
}) {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const isCurrent =
    target === '/'
      ? path === '/'
      : [target, ...covers].some((each) => path === each || path.startsWith(`${each}/`))
  return (
    <Link to={target} aria-current={isCurrent ? 'page' : undefined} className="entry">
      <Icon size={18} stroke={1.7} />
      {label}
    </Link>
  )
}
