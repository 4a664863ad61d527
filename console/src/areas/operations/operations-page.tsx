import { Stack } from '@mantine/core'
import { Page } from '../../parts/page.tsx'
import { settings } from '../../session/settings.ts'
import { useMay } from '../../session/session.ts'
import { ClockSection } from './clock-section.tsx'
import { FeeRunsSection } from './fee-runs-section.tsx'
import { JobsSection } from './jobs-section.tsx'
import { NightlyRunSection } from './nightly-run-section.tsx'

/** What runs in the background, and in the sandbox the clock that makes it run. */
export function OperationsPage() {
  const may = useMay()
  return (
    <Page title="Operations" lead="What the bank does by itself.">
      <Stack gap="lg">
        {settings.environment === 'sandbox' && <ClockSection />}
        <NightlyRunSection />
        <JobsSection />
        {may('fees:read') && <FeeRunsSection />}
      </Stack>
    </Page>
  )
}
