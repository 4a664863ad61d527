import { Text } from '@mantine/core'

/** Shows a rendered message as text. The body of an email is HTML, which is never executed. */
export function MessageText({
  channel,
  subject,
  body,
}: {
  channel: string
  subject?: string | null
  body: string
}) {
  return (
    <>
      {subject && (
        <Text fw={650} mb="xs">
          {subject}
        </Text>
      )}
      <Text style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}>
        {channel === 'EMAIL' ? textOf(body) : body}
      </Text>
    </>
  )
}

function textOf(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const block of body.querySelectorAll('p, div, br, li, tr, h1, h2, h3')) block.after('\n')
  return (body.textContent ?? '').trim()
}
