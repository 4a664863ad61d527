import { SegmentedControl } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { InteractionTable } from './interaction-table.tsx'
import type { InteractionStatus } from './queries.generated.ts'

/** What the address of a page says about its list of work. */
interface WorkSearch {
  status?: string | undefined
  after?: string | undefined
}

interface WorkSectionProps {
  filter: { queueId: string } | { agentId: string }
  /** The statuses to choose from, and what is shown if there is no work with them. */
  emptyOf: Partial<Record<InteractionStatus, string>>
  /** The status that is shown first. */
  first: InteractionStatus
  search: WorkSearch
  onSearch: (search: WorkSearch) => void
}

/** The contacts and tasks of a queue or an agent, by status. */
export function WorkSection({ filter, emptyOf, first, search, onSearch }: WorkSectionProps) {
  const { status = first, after } = search
  return (
    <Section
      title="Contacts and tasks"
      actions={
        <SegmentedControl
          size="xs"
          aria-label="Status"
          className="scrolling-x"
          data={Object.keys(emptyOf).map((value) => ({ value, label: readable(value) }))}
          value={status}
          onChange={(value) => onSearch({ status: value })}
        />
      }
    >
      <InteractionTable
        filter={filter}
        status={status as InteractionStatus}
        after={after}
        onPage={(cursor) => onSearch({ status, after: cursor })}
        empty={emptyOf[status as InteractionStatus] ?? 'There is nothing with this status.'}
      />
    </Section>
  )
}
