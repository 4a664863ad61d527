import {
  AppShell,
  Badge,
  Box,
  Burger,
  Button,
  Group,
  ScrollArea,
  Text,
  UnstyledButton,
} from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKeyboard } from '@tabler/icons-react'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { lazy, Suspense, useEffect } from 'react'
import { settings } from '../session/settings.ts'
import icon from './icon.svg'
import { Interrupted } from './interrupted.tsx'
import { Navigation } from './navigation.tsx'
import { PersonMenu } from './person-menu.tsx'
import { QueriesOfPage } from './queries-of-page.tsx'
import { SearchBox } from './search-box.tsx'
import { useShortcuts } from './shortcuts.ts'
import { AppLink } from '../parts/links.tsx'

const ShortcutsDialog = lazy(() => import('./shortcuts-dialog.tsx'))

/** What surrounds every page: the header, the navigation, and what interrupts the work. */
export function Frame() {
  const [isOpen, { toggle, close }] = useDisclosure()
  const shortcuts = useShortcuts()
  const path = useRouterState({ select: ({ location }) => location.pathname })
  useEffect(() => {
    close()
    // Readers with a screen reader learn of the new page from its heading.
    document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  }, [path, close])
  return (
    <AppShell
      header={{ height: 60 }}
      navbar={{ width: 232, breakpoint: 'md', collapsed: { mobile: !isOpen } }}
      padding={{ base: 'md', lg: 'xl' }}
    >
      <UnstyledButton component="a" href="#content" className="skip-link">
        Skip to the content
      </UnstyledButton>
      <AppShell.Header>
        <Header isOpen={isOpen} onToggle={toggle} />
      </AppShell.Header>
      <AppShell.Navbar component="nav" aria-label="Pages">
        <AppShell.Section grow component={ScrollArea} p="sm">
          <Navigation />
        </AppShell.Section>
        <AppShell.Section p="sm">
          <QueriesOfPage />
          <Button
            variant="subtle"
            size="xs"
            fullWidth
            justify="flex-start"
            leftSection={<IconKeyboard size={16} />}
            onClick={shortcuts.show}
            visibleFrom="md"
          >
            Keyboard shortcuts
          </Button>
        </AppShell.Section>
      </AppShell.Navbar>
      <AppShell.Main id="content" className="page">
        <Box maw={1280} mx="auto">
          <Outlet />
        </Box>
      </AppShell.Main>
      <Interrupted />
      {shortcuts.isShown && (
        <Suspense>
          <ShortcutsDialog onClose={shortcuts.hide} />
        </Suspense>
      )}
    </AppShell>
  )
}

/** The name of the bank, the search and the person. */
const Header = ({ isOpen, onToggle }: { isOpen: boolean; onToggle: () => void }) => (
  <Group h="100%" px="md" justify="space-between" wrap="nowrap">
    <Group gap="sm" wrap="nowrap">
      <Burger
        opened={isOpen}
        onClick={onToggle}
        hiddenFrom="md"
        size="sm"
        aria-label="Navigation"
      />
      <AppLink to="/" underline="never" c="inherit" aria-label="bankgraph, start">
        <Group gap="xs" wrap="nowrap">
          <img src={icon} alt="" width={28} height={28} />
          <Text fw={700} visibleFrom="sm">
            bankgraph
          </Text>
        </Group>
      </AppLink>
      <Badge
        variant="light"
        color={settings.environment === 'sandbox' ? 'orange' : 'teal'}
        className="state"
      >
        {settings.environment === 'sandbox' ? 'Sandbox' : 'Live'}
      </Badge>
    </Group>
    <SearchBox />
    <PersonMenu />
  </Group>
)
