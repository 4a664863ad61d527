import { Group, Stack, Text } from '@mantine/core'
import { formatMonths, formatRate, readable } from '../../parts/format.ts'
import { Section } from '../../parts/page.tsx'
import { Money, State, Time } from '../../parts/values.tsx'
import type { Application } from './application.ts'

type Decision = NonNullable<Application['decisions']>[number]

/** The credit decisions on an application, the latest first. */
export function Decisions({ application }: { application: Application }) {
  const decisions = [...(application.decisions ?? [])].reverse()
  if (decisions.length === 0) return null
  return (
    <Section title="Decisions">
      <Stack gap="lg">
        {decisions.map((decision) => (
          <DecisionDetails key={decision.decisionId} decision={decision} />
        ))}
      </Stack>
    </Section>
  )
}

function DecisionDetails({ decision }: { decision: Decision }) {
  const { outcome, decidedAt, decidedBy, decisionMode, approvedTerms, reasons, comment } = decision
  return (
    <Stack gap={4}>
      <Group gap="sm">
        <State value={outcome} />
        <Text size="sm">
          <Time value={decidedAt} />
          {decidedBy && ` · ${decidedBy}`} · {readable(decisionMode)}
        </Text>
      </Group>
      {approvedTerms && (
        <Text size="sm">
          <Money value={approvedTerms.amount} /> at {formatRate(approvedTerms.ratePct)}
          {approvedTerms.termMonths && ` over ${formatMonths(approvedTerms.termMonths)}`}
        </Text>
      )}
      {reasons.map(({ code, text }) => (
        <Text key={code} size="sm">
          {text}
        </Text>
      ))}
      {comment && (
        <Text size="sm" c="dimmed">
          Internal comment: {comment}
        </Text>
      )}
    </Stack>
  )
}
