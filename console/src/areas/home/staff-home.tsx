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
      lead={roles.map(readable).join(', ')}
    >
      <WaitingWork />
      <SimpleGrid cols={{ base: 2, md: 3 }} spacing={{ base: 'xs', sm: 'md' }}>
        {pages.map(({ label, about, path, icon: Icon }) => (
          <LinkButton
            key={path}
            to={path}
            variant="default"
            h="auto"
            p={{ base: 'sm', sm: 'lg' }}
            justify="flex-start"
          >
            <Group gap="sm" wrap="nowrap">
              <Icon size={24} stroke={1.5} />
              <div className="tile">
                <Text fw={600}>{label}</Text>
                <Text size="sm" c="dimmed" fw={400} visibleFrom="sm">
                  {about}
                </Text>
              </div>
            </Group>
          </LinkButton>
        ))}
      </SimpleGrid>
    </Page>
  )
}
