import { Progress, Text } from '@mantine/core'

/** The name of a job, with a sentence about it. */
export function JobName({ name, about }: { name: string; about: string }) {
  return (
    <>
      <Text fw={600} size="sm">
        {name}
      </Text>
      <Text size="sm" c="dimmed">
        {about}
      </Text>
    </>
  )
}

/** How many of its records a job has processed; nothing if their number is not known. */
export function JobProgress({
  label,
  progress,
}: {
  label: string
  progress: { done: number; total: number | null } | null
}) {
  if (!progress?.total) return null
  return (
    <Progress mt={6} w={120} value={(100 * progress.done) / progress.total} aria-label={label} />
  )
}
