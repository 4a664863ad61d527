import { Badge, Group, Modal, Stack, Switch, Text, Textarea } from '@mantine/core'
import { useState } from 'react'
import { CommandForm } from '../../parts/command-form.tsx'
import { readable } from '../../parts/format.ts'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { State, Time } from '../../parts/values.tsx'
import { useMay } from '../../session/session.ts'
import {
  AssistantVersionsDocument,
  SetAssistKillSwitchDocument,
  type AssistantVersionsQuery,
} from './queries.generated.ts'

type Version = NonNullable<AssistantVersionsQuery['assistantVersions']>[number]
type KillSwitch = NonNullable<AssistantVersionsQuery['assistKillSwitches']>[number]

const columns: readonly Column<Version>[] = [
  {
    title: 'Assistant',
    cell: ({ assistantType, number, purpose }) => (
      <>
        <Text fw={600}>
          {readable(assistantType)} {number}
        </Text>
        <Text size="sm" c="dimmed">
          {purpose}
        </Text>
      </>
    ),
  },
  { title: 'Status', cell: ({ status }) => <State value={status} /> },
  {
    title: 'For',
    cell: ({ isForCustomers }) => (isForCustomers ? 'Customers and the bank' : 'The bank'),
  },
  { title: 'Consent', cell: ({ consent }) => readable(consent) },
  { title: 'Tools', isNumeric: true, cell: ({ tools }) => tools.length },
  { title: 'Published', cell: ({ publishedAt }) => <Time value={publishedAt} /> },
]

/** The assistants of the bank, and the switches that stop them. */
export const GovernancePage = () => (
  <Page
    title="Assistants"
    lead="Which assistants the bank has, what they may use, and the switches that stop them at once."
  >
    <Query query={AssistantVersionsDocument} variables={{}}>
      {({ assistantVersions, assistKillSwitches }) => (
        <>
          <KillSwitches versions={assistantVersions ?? []} switches={assistKillSwitches ?? []} />
          <Section title="Versions">
            <ConnectionTable
              label="Versions"
              connection={{ nodes: assistantVersions ?? [], pageInfo: { hasNextPage: false } }}
              columns={columns}
              keyOf={({ assistantVersionId }) => assistantVersionId}
              empty="The bank has no assistants."
            />
          </Section>
        </>
      )}
    </Query>
  </Page>
)

interface KillSwitchesProps {
  versions: readonly Version[]
  switches: readonly KillSwitch[]
}

/** One switch for everything, one for each type of assistant, and those that were ever set. */
function KillSwitches({ versions, switches }: KillSwitchesProps) {
  const [changing, setChanging] = useState<string | null>(null)
  const types = versions.filter(({ status }) => status === 'PUBLISHED')
  const scopes = new Set([
    'all',
    ...types.map(({ assistantType }) => `type:${assistantType}`),
    ...switches.map(({ scope }) => scope),
  ])
  const switchOf = (scope: string) => switches.find((one) => one.scope === scope)
  return (
    <Section
      title="Kill switches"
      description="An active switch stops answers in progress within a second and ends the conversations."
    >
      <Stack gap="sm" component="ul" className="plain">
        {[...scopes].map((scope) => (
          <KillSwitchRow
            key={scope}
            scope={scope}
            current={switchOf(scope)}
            onChange={() => setChanging(scope)}
          />
        ))}
      </Stack>
      {changing !== null && (
        <ChangeDialog
          scope={changing}
          isOn={!switchOf(changing)?.isOn}
          onClose={() => setChanging(null)}
        />
      )}
    </Section>
  )
}

interface KillSwitchRowProps {
  scope: string
  current: KillSwitch | undefined
  onChange: () => void
}

function KillSwitchRow({ scope, current, onChange }: KillSwitchRowProps) {
  const may = useMay()
  return (
    <Group component="li" justify="space-between" wrap="nowrap">
      <div>
        <Group gap="xs">
          <Text fw={600}>{nameOf(scope)}</Text>
          {current?.isOn && (
            <Badge color="red" variant="light" className="state">
              Stopped
            </Badge>
          )}
        </Group>
        {current && (
          <Text size="sm" c="dimmed">
            {current.isOn ? 'Stopped' : 'Allowed again'} by {current.setBy},{' '}
            <Time value={current.setAt} />
            {current.reason && `: ${current.reason}`}
          </Text>
        )}
      </div>
      <Switch
        checked={current?.isOn ?? false}
        disabled={!may('operations:manage')}
        onChange={onChange}
        aria-label={`Stop ${nameOf(scope)}`}
        color="red"
      />
    </Group>
  )
}

/** `type:credit-analyst` → `Assistants of the type credit analyst`. */
function nameOf(scope: string): string {
  const [kind, name] = scope.split(':')
  if (name === undefined) return 'All assistants'
  const kinds: Record<string, string> = { type: 'Assistants', model: 'The model', tool: 'The tool' }
  return `${kinds[kind!] ?? kind}: ${readable(name).toLowerCase()}`
}

function ChangeDialog({
  scope,
  isOn,
  onClose,
}: {
  scope: string
  isOn: boolean
  onClose: () => void
}) {
  return (
    <Modal opened onClose={onClose} title={`${isOn ? 'Stop' : 'Allow'}: ${nameOf(scope)}`} centered>
      <CommandForm
        id={`kill-switch:${scope}`}
        mutation={SetAssistKillSwitchDocument}
        initialValues={{ reason: '' }}
        validate={({ reason }) => (reason.trim() ? {} : { reason: 'Say why.' })}
        variables={({ reason }) => ({ scope, isOn, reason: reason.trim() })}
        submitLabel={isOn ? 'Stop' : 'Allow'}
        isDangerous={isOn}
        onCancel={onClose}
        onDone={onClose}
      >
        {(form) => (
          <Textarea
            label="Reason"
            description="Part of the record of the switch."
            required
            data-autofocus
            autosize
            {...form.getInputProps('reason')}
          />
        )}
      </CommandForm>
    </Modal>
  )
}
