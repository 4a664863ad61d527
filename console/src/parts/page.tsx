import { Box, Card, Group, Stack, Text, Title } from '@mantine/core'
import { useDocumentTitle } from '@mantine/hooks'
import type { ReactNode } from 'react'
import { ChangesLink } from './changes-link.tsx'

interface PageProps {
  title: ReactNode
  /** The title of the browser's tab, if `title` is not a text. */
  tabTitle?: string
  /** What the page is about, in one line. */
  lead?: ReactNode
  /** What a person can do here. */
  actions?: ReactNode
  /** The record that the page is about, such as `party/pty_1`: its changes are one click away. */
  subject?: string
  children: ReactNode
}

/** A page of the console: its heading, its actions, and its sections below each other. */
export function Page({ title, tabTitle, lead, actions, subject, children }: PageProps) {
  const name = typeof title === 'string' ? title : tabTitle
  useDocumentTitle(name ? `${name} · bankgraph` : 'bankgraph')
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="md">
        <Box className="heading">
          <Title order={1} size="h2" tabIndex={-1} data-autofocus>
            {title}
          </Title>
          {lead && (
            <Text component="div" c="dimmed" mt={4}>
              {lead}
            </Text>
          )}
        </Box>
        {(actions || subject) && (
          <Group gap="sm">
            {subject && <ChangesLink subject={subject} />}
            {actions}
          </Group>
        )}
      </Group>
      {children}
    </Stack>
  )
}

interface SectionProps {
  title: string
  description?: ReactNode
  actions?: ReactNode
  children: ReactNode
}

/** A part of a page, with its own heading. */
export function Section({ title, description, actions, children }: SectionProps) {
  return (
    <Card component="section" aria-label={title}>
      <Group justify="space-between" mb="md" gap="sm">
        <Box>
          <Title order={2} size="h4">
            {title}
          </Title>
          {description && (
            <Text component="div" c="dimmed" size="sm">
              {description}
            </Text>
          )}
        </Box>
        {actions && <Group gap="xs">{actions}</Group>}
      </Group>
      {children}
    </Card>
  )
}

/** What a person sees where nothing is yet, and what to do about it. */
export function Empty({ children, action }: { children: ReactNode; action?: ReactNode }) {
  return (
    <Stack align="center" py="xl" gap="sm">
      <Text c="dimmed" ta="center" maw="48ch">
        {children}
      </Text>
      {action}
    </Stack>
  )
}

/** A number with its name, large enough to be read at a glance. */
export function Figure({
  name,
  value,
  hint,
}: {
  name: string
  value: ReactNode
  hint?: ReactNode
}) {
  return (
    <Card className="figure" p={{ base: 'md', sm: undefined }}>
      <Text size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="div" fz={{ base: 20, sm: 26 }} fw={650} lh={1.25}>
        {value}
      </Text>
      {hint && (
        <Text component="div" size="sm" c="dimmed" className="hint">
          {hint}
        </Text>
      )}
    </Card>
  )
}
