import { Group, SimpleGrid, Text } from '@mantine/core'
import { useNavigation } from '../../app/navigation.tsx'
import { Page } from '../../parts/page.tsx'
import { readable } from '../../parts/format.ts'
import { LinkButton } from '../../parts/links.tsx'
import { useSession } from '../../session/session.ts'
import { WaitingWork } from './waiting-work.tsx'

/** Where an employee's day starts: what waits, and the pages for the roles of the employee. */
export function StaffHome() {
  const { username, roles } = useSession().person
  const pages = useNavigation().filter(({ path }) => path !== '/')
  return (
    <Page
      title={`Hello, ${readable(username)}`}
      tabTitle="Home"
      lead={`You work here as ${roles.map((role) => readable(role).toLowerCase()).join(', ')}.`}
    >
      <WaitingWork />
      <SimpleGrid cols={{ base: 1, xs: 2, md: 3 }}>
        {pages.map(({ label, path, icon: Icon }) => (
          <LinkButton key={path} to={path} variant="default" h="auto" p="lg" justify="flex-start">
            <Group>
              <Icon size={24} stroke={1.5} />
              <Text fw={600}>{label}</Text>
            </Group>
          </LinkButton>
        ))}
      </SimpleGrid>
    </Page>
  )
}
