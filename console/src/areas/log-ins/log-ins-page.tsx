import { Button, List, Text } from '@mantine/core'
import { IconExternalLink } from '@tabler/icons-react'
import { CommandButton } from '../../parts/command-button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { ConnectionTable, type Column } from '../../parts/table.tsx'
import { Missing, Time } from '../../parts/values.tsx'
import { settings } from '../../session/settings.ts'
import { browserName } from './browser-name.ts'
import {
  DisconnectAppDocument,
  EndLogInSessionDocument,
  LogInsDocument,
  type LogInsQuery,
} from './queries.generated.ts'

type LogInSession = NonNullable<LogInsQuery['logInSessions']>[number]
type App = NonNullable<LogInsQuery['connectedApps']>[number]

const sessionColumns: readonly Column<LogInSession>[] = [
  {
    title: 'Browser',
    cell: ({ userAgent }) =>
      userAgent ? <span title={userAgent}>{browserName(userAgent)}</span> : <Missing />,
  },
  { title: 'Address', cell: ({ address }) => address ?? <Missing /> },
  { title: 'Logged in', cell: ({ loggedInAt }) => <Time value={loggedInAt} /> },
  { title: 'Ends', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  {
    title: 'Action',
    cell: ({ sessionId }) => (
      <CommandButton
        id={`end:${sessionId}`}
        mutation={EndLogInSessionDocument}
        variables={{ sessionId }}
        variant="default"
        size="xs"
      >
        Log out
      </CommandButton>
    ),
  },
]

const appColumns: readonly Column<App>[] = [
  { title: 'App', cell: ({ label }) => <Text fw={600}>{label}</Text> },
  {
    title: 'It may',
    cell: ({ permissions }) => (
      <List size="sm">
        {permissions.map((permission) => (
          <List.Item key={permission}>{permission}</List.Item>
        ))}
      </List>
    ),
  },
  { title: 'Since', cell: ({ connectedAt }) => <Time value={connectedAt} /> },
  { title: 'Asks again', cell: ({ expiresAt }) => <Time value={expiresAt} /> },
  {
    title: 'Action',
    cell: ({ grantId }) => (
      <CommandButton
        id={`disconnect:${grantId}`}
        mutation={DisconnectAppDocument}
        variables={{ grantId }}
        variant="default"
        size="xs"
      >
        Disconnect
      </CommandButton>
    ),
  },
]

const all = <Row,>(nodes: readonly Row[] | null) => ({
  nodes: nodes ?? [],
  pageInfo: { hasNextPage: false },
})

/** Where a person is logged in, which apps act for them, and their passkeys. */
export function LogInsPage() {
  return (
    <Page
      title="Your log-ins and apps"
      lead="Log out a browser that you do not know, and disconnect apps that you no longer use."
    >
      <Query query={LogInsDocument} variables={{}}>
        {({ logInSessions, connectedApps }) => (
          <>
            <Section
              title="Where you are logged in"
              description="The page that you see is one of them. Connected apps keep their access."
            >
              <ConnectionTable
                label="Browsers"
                connection={all(logInSessions)}
                columns={sessionColumns}
                keyOf={({ sessionId }) => sessionId}
                empty="You are logged in at another identity provider, which lists your browsers."
              />
            </Section>
            <Section
              title="Connected apps"
              description="Apps that you allowed to act for you. A disconnected app loses its access at once."
            >
              <ConnectionTable
                label="Connected apps"
                connection={all(connectedApps)}
                columns={appColumns}
                keyOf={({ grantId }) => grantId}
                empty="No app acts for you. An app asks you on a page of the bank before it may."
              />
            </Section>
          </>
        )}
      </Query>
      {settings.passkeysUrl && <Passkeys url={settings.passkeysUrl} />}
    </Page>
  )
}

function Passkeys({ url }: { url: string }) {
  return (
    <Section
      title="Passkeys"
      description="With a passkey, you log in with your fingerprint, face or PIN, and approve payments."
      actions={
        <Button
          component="a"
          href={url}
          variant="default"
          size="xs"
          rightSection={<IconExternalLink size={14} />}
        >
          Manage passkeys
        </Button>
      }
    >
      <Text size="sm">
        The page asks you to log in again if your log-in is older than 5 minutes.
      </Text>
    </Section>
  )
}
