import { readable } from '../../parts/format.ts'
import { AppLink } from '../../parts/links.tsx'
import type { Column } from '../../parts/table.tsx'
import { Missing, State, Time } from '../../parts/values.tsx'
import type { AgentPartsFragment } from './queries.generated.ts'

/** Agents with their state and what they work on. */
export const agentColumns: readonly Column<AgentPartsFragment>[] = [
  {
    title: 'Agent',
    cell: ({ agentId, name }) => (
      <AppLink to="/agents/$agentId" params={{ agentId }}>
        {name}
      </AppLink>
    ),
  },
  { title: 'State', cell: ({ status }) => <State value={status} /> },
  { title: 'Works on', cell: ({ load }) => loadText(load) || <Missing /> },
  {
    title: 'Profile',
    cell: ({ routingProfileId, routingProfile }) => (
      <AppLink to="/routing-profiles/$routingProfileId" params={{ routingProfileId }}>
        {routingProfile?.name ?? routingProfileId}
      </AppLink>
    ),
  },
  {
    title: 'Skills',
    cell: ({ skills, languages }) => [...skills, ...languages].join(', ') || <Missing />,
  },
  { title: 'Last active', cell: ({ lastActivityAt }) => <Time value={lastActivityAt} /> },
]

/** Writes what an agent works on: `1 voice, 2 task`. */
export const loadText = (load: AgentPartsFragment['load']): string =>
  load
    .filter(({ count }) => count > 0)
    .map(({ channel, count }) => `${count} ${readable(channel).toLowerCase()}`)
    .join(', ')
