import { Group, Kbd, Modal, Stack, Switch, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { useNavigation } from './navigation.tsx'
import { singleKeys, useSingleKeys } from './shortcuts.ts'

/** The keyboard shortcuts of the person who is logged in, and the switch that turns them off. */
export default function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const isOn = useSingleKeys()
  const pages = useNavigation().filter(({ key }) => key !== undefined)
  return (
    <Modal opened onClose={onClose} title="Keyboard shortcuts" size="lg">
      <Stack gap="lg">
        <List title="Everywhere">
          <Shortcut keys={['/']} does="Search by name, IBAN, amount or any ID (also Ctrl+K)" />
          <Shortcut keys={['?']} does="Show these shortcuts" />
          <Shortcut keys={['Esc']} does="Close a dialog" />
        </List>
        <List title="In lists">
          <Shortcut keys={['j']} does="Next row" />
          <Shortcut keys={['k']} does="Previous row" />
          <Shortcut keys={['Enter']} does="Open the row" />
        </List>
        <List title="Pages">
          {pages.map(({ path, key, label }) => (
            <Shortcut key={path} keys={['g', key!]} does={label} />
          ))}
        </List>
        <Switch
          label="Single keys act"
          description="Turn them off if you speak to your computer, or if they get in your way."
          checked={isOn}
          onChange={({ currentTarget }) => singleKeys.set(currentTarget.checked)}
        />
      </Stack>
    </Modal>
  )
}

const List = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <Text fw={650} mb="xs">
      {title}
    </Text>
    <ul className="plain shortcuts">{children}</ul>
  </section>
)

const Shortcut = ({ keys, does }: { keys: readonly string[]; does: string }) => (
  <li>
    <Group justify="space-between" wrap="nowrap">
      <Text size="sm">{does}</Text>
      <Group gap={4} wrap="nowrap">
        {keys.map((key) => (
          <Kbd key={key}>{key}</Kbd>
        ))}
      </Group>
    </Group>
  </li>
)
