import { Alert, Button, Card, Center, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core'
import { logIn } from '../session/log-in.ts'
import { settings, type OfferedPerson } from '../session/settings.ts'
import icon from './icon.svg'

/** The first page of a person who is not logged in. In the sandbox, it offers people. */
export function LogInPage({ problem, returnTo }: { problem: string | null; returnTo: string }) {
  const groups = [
    ['Customers', settings.people.filter(({ isEmployee }) => !isEmployee)],
    ['Employees', settings.people.filter(({ isEmployee }) => isEmployee)],
  ] as const
  const isOffering = settings.people.length > 0
  return (
    <Center mih="100vh" p="md" component="main">
      <Stack w="100%" maw={isOffering ? 720 : 420} gap="lg">
        <Group>
          <img src={icon} alt="" width={44} height={44} />
          <div>
            <Title order={1} size="h2">
              bankgraph
            </Title>
            <Text c="dimmed">
              {settings.environment === 'sandbox' ? 'The sandbox' : 'The live environment'}
            </Text>
          </div>
        </Group>
        {problem && (
          <Alert color="red" role="alert" title="You are not logged in">
            {problem}
          </Alert>
        )}
        {isOffering ? (
          groups.map(([title, people]) => (
            <section key={title} aria-label={title}>
              <Text fw={600} mb="xs">
                {title}
              </Text>
              <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
                {people.map((person) => (
                  <PersonCard key={person.username} person={person} returnTo={returnTo} />
                ))}
              </SimpleGrid>
            </section>
          ))
        ) : (
          <Button size="lg" onClick={() => logIn({ returnTo })}>
            Log in
          </Button>
        )}
        {isOffering && (
          <Group justify="space-between">
            <Text size="sm" c="dimmed">
              One click logs you in as this person, with the rights of this person.
            </Text>
            <Button variant="subtle" size="xs" onClick={() => logIn({ returnTo })}>
              Log in as somebody else
            </Button>
          </Group>
        )}
      </Stack>
    </Center>
  )
}

function PersonCard({ person, returnTo }: { person: OfferedPerson; returnTo: string }) {
  const [name, ...description] = person.label.split(', ')
  return (
    <Card
      component="button"
      className="person"
      padding="md"
      onClick={() => logIn({ username: person.username, returnTo })}
    >
      <Text fw={600}>{name}</Text>
      <Text size="sm" c="dimmed">
        {description.join(', ')}
      </Text>
    </Card>
  )
}
