import { Button } from '@mantine/core'
import { IconCode } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'

const QueriesDrawer = lazy(() => import('./queries-drawer.tsx'))

/** Opens the panel with the operations that the page sent, so that a developer can copy them. */
export function QueriesOfPage() {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button
        variant="subtle"
        size="xs"
        fullWidth
        justify="flex-start"
        leftSection={<IconCode size={16} />}
        onClick={() => setIsOpen(true)}
      >
        Queries of this page
      </Button>
      {isOpen && (
        <Suspense>
          <QueriesDrawer onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
