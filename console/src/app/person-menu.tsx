import { Avatar, Button, Menu, Text, useMantineColorScheme, VisuallyHidden } from '@mantine/core'
import {
  IconDeviceDesktop,
  IconLogout,
  IconMoon,
  IconShieldLock,
  IconSun,
  IconUserCircle,
} from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { readable } from '../parts/format.ts'
import { logIn, logOut } from '../session/log-in.ts'
import { useSession } from '../session/session.ts'
import { settings } from '../session/settings.ts'

const schemes = [
  ['light', 'Light', IconSun],
  ['dark', 'Dark', IconMoon],
  ['auto', 'As the system', IconDeviceDesktop],
] as const

/** Who is logged in; in the sandbox, also whom to become next. */
export function PersonMenu() {
  const { person } = useSession()
  const navigate = useNavigate()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const others = settings.people.filter(({ username }) => username !== person.username)
  const role = person.partyId === null ? person.roles.map(readable).join(', ') : 'Customer'
  return (
    <Menu position="bottom-end" width={260} shadow="md">
      <Menu.Target>
        <Button
          variant="subtle"
          color="gray"
          px="xs"
          leftSection={<Avatar size={28} color="brand" name={person.username} aria-hidden />}
        >
          <Text size="sm" fw={600} visibleFrom="sm" c="var(--mantine-color-text)" aria-hidden>
            {readable(person.username)}
          </Text>
          <VisuallyHidden>
            {readable(person.username)}, {role}: account menu
          </VisuallyHidden>
        </Button>
      </Menu.Target>
      <Menu.Dropdown mah="80vh" className="scrolling">
        <Menu.Label>
          {person.username} · {role}
        </Menu.Label>
        {others.length > 0 && (
          <>
            <Menu.Divider />
            <Menu.Label>Log in as</Menu.Label>
            {others.map(({ username, label }) => (
              <Menu.Item
                key={username}
                leftSection={<IconUserCircle size={16} />}
                onClick={() => logIn({ username })}
              >
                {label}
              </Menu.Item>
            ))}
          </>
        )}
        <Menu.Divider />
        <Menu.Label>Colors</Menu.Label>
        {schemes.map(([scheme, label, Icon]) => (
          <Menu.Item
            key={scheme}
            role="menuitemradio"
            aria-checked={colorScheme === scheme}
            leftSection={<Icon size={16} />}
            fw={colorScheme === scheme ? 700 : undefined}
            onClick={() => setColorScheme(scheme)}
          >
            {label}
          </Menu.Item>
        ))}
        <Menu.Divider />
        <Menu.Item
          leftSection={<IconShieldLock size={16} />}
          onClick={() => void navigate({ to: '/log-ins' })}
        >
          Your log-ins and apps
        </Menu.Item>
        <Menu.Item leftSection={<IconLogout size={16} />} onClick={() => void logOut(person)}>
          Log out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
