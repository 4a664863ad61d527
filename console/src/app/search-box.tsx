import { Button, Kbd, Text } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useHotkeys } from '@mantine/hooks'
import { useSingleKeys } from './shortcuts.ts'

const SearchDialog = lazy(() => import('./search-dialog.tsx'))

/** The search of the whole bank: by name, IBAN, amount or any ID. `/` and Ctrl+K open it. */
export function SearchBox() {
  const [isOpen, setIsOpen] = useState(false)
  const open = () => setIsOpen(true)
  const isOn = useSingleKeys()
  useHotkeys([
    ['/', () => isOn && open()],
    ['mod+K', open],
  ])
  return (
    <>
      <Button
        variant="default"
        fw={400}
        c="dimmed"
        leftSection={<IconSearch size={16} />}
        rightSection={<Kbd visibleFrom="md">/</Kbd>}
        onClick={open}
        aria-label="Search"
        className="search"
      >
        <Text size="sm" visibleFrom="sm">
          Search
        </Text>
      </Button>
      {isOpen && (
        <Suspense>
          <SearchDialog onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
