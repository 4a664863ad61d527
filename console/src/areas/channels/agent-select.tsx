import { useQuery } from '@apollo/client/react'
import { Select, type SelectProps } from '@mantine/core'
import { readable } from '../../parts/format.ts'
import { AllAgentsDocument } from './queries.generated.ts'

/** A choice of the bank's agents, with what each of them does now. */
export function AgentSelect(props: Omit<SelectProps, 'data'>) {
  const { data } = useQuery(AllAgentsDocument)
  const agents = data?.agents?.nodes ?? []
  return (
    <Select
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'No agent' }}
      data={agents.map(({ agentId, name, status }) => ({
        value: agentId,
        label: `${name} · ${readable(status).toLowerCase()}`,
      }))}
      nothingFoundMessage="No agent has this name."
      {...props}
    />
  )
}
