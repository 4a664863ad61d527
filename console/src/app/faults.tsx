import { Alert, Button, Text } from '@mantine/core'
import { Page } from '../parts/page.tsx'
import { LinkButton } from '../parts/links.tsx'

/** Says that an address leads nowhere. */
export function NotFound() {
  return (
    <Page title="There is no such page" actions={<LinkButton to="/">Go to the start</LinkButton>}>
      <Text>The address may be mistyped, or the record may belong to somebody else.</Text>
    </Page>
  )
}

/** Says that a page cannot be shown because of a mistake in the console. */
export function PageFailed({ error }: { error: unknown }) {
  return (
    <Page
      title="This page cannot be shown"
      actions={<Button onClick={() => location.reload()}>Load it again</Button>}
    >
      <Alert color="red" role="alert" title="A mistake in the console">
        {String((error as Error)?.message ?? error)}
      </Alert>
    </Page>
  )
}
