import { Group, SegmentedControl } from '@mantine/core'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useChangesOfType } from '../../graph/events.ts'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { Page } from '../../parts/page.tsx'
import { SelectFilter } from '../../parts/select-filter.tsx'
import { useMay, useSession } from '../../session/session.ts'
import { AgentSelect } from '../channels/agent-select.tsx'
import { OwnAgent } from '../channels/own-agent.tsx'
import { CaseBoard } from './case-board.tsx'
import { CaseList } from './case-list.tsx'
import { caseTypes } from './case-types.ts'

/** The cases by status with their clocks for employees; their own requests for customers. */
export function CasesPage() {
  const { view = 'board' } = useSearch({ from: '/cases' })
  const isEmployee = useSession().person.partyId === null
  const may = useMay()
  useChangesOfType(['casework.*'])
  return (
    <Page
      title={isEmployee ? 'Cases' : 'Your cases'}
      lead={
        isEmployee
          ? 'What the bank handles for its customers, and by when.'
          : 'Your requests and complaints, and how far they are.'
      }
      actions={
        may('cases:write') && (
          <LinkButton to="/cases/new">{isEmployee ? 'Open a case' : 'New request'}</LinkButton>
        )
      }
    >
      {isEmployee && <Filters />}
      {isEmployee && view === 'board' ? <CaseBoard /> : <CaseList />}
    </Page>
  )
}

function Filters() {
  const { view = 'board', type, assignee } = useSearch({ from: '/cases' })
  const navigate = useNavigate({ from: '/cases' })
  const may = useMay()
  const change = (values: { view?: string; type?: string; assignee?: string }) =>
    void navigate({
      search: (old) => ({ ...old, after: undefined, ...values }) as typeof old,
      resetScroll: false,
    })
  return (
    <Group align="flex-end">
      <SegmentedControl
        aria-label="View"
        data={[
          { value: 'board', label: 'Board' },
          { value: 'list', label: 'List' },
        ]}
        value={view}
        onChange={(value) => change({ view: value })}
      />
      <SelectFilter
        label="Type"
        all="All types"
        data={caseTypes.map((value) => ({ value, label: readable(value) }))}
        value={type}
        onChange={(value) => change({ type: value })}
      />
      {may('routing:read') && (
        <>
          <AgentSelect
            label="Assigned to"
            placeholder="Anybody"
            value={assignee ?? null}
            onChange={(value) => change({ assignee: value ?? '' })}
          />
          <OwnAgent isChosen={assignee} onChoose={(value) => change({ assignee: value ?? '' })} />
        </>
      )}
    </Group>
  )
}
