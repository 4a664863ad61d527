import { Loader, Modal, NavLink, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useNavigation } from './navigation.tsx'
import { useSearch } from './search.ts'

/** Takes any ID, name, IBAN or amount and leads to what it finds. */
export default function SearchDialog({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [selected, setSelected] = useState(0)
  const [settled] = useDebouncedValue(text.trim(), 150)
  const navigate = useNavigate()
  const { hits, isSearching } = useSearch(settled)
  const pages = useNavigation()
    .filter(({ label }) => text && label.toLowerCase().includes(text.trim().toLowerCase()))
    .map(({ label, path }) => ({ title: label, description: 'Page', path }))
  const results = [...hits, ...pages]
  const open = (path: string) => {
    onClose()
    void navigate({ to: path })
  }
  const onKeyDown = (event: React.KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) {
      event.preventDefault()
      setSelected((selected + step + results.length) % Math.max(results.length, 1))
    }
    if (event.key === 'Enter' && results[selected]) open(results[selected].path)
  }
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      withCloseButton={false}
      padding="sm"
      aria-label="Search"
    >
      <TextInput
        data-autofocus
        size="md"
        aria-label="Search"
        placeholder="A name, an IBAN, an amount or any ID"
        leftSection={isSearching ? <Loader size={16} /> : <IconSearch size={18} />}
        value={text}
        onChange={({ currentTarget }) => {
          setText(currentTarget.value)
          setSelected(0)
        }}
        onKeyDown={onKeyDown}
      />
      <ul aria-label="Results" aria-live="polite" className="plain">
        {results.map(({ title, description, path }, index) => (
          <li key={path}>
            <NavLink
              component="button"
              label={title}
              description={description}
              active={index === selected}
              onClick={() => open(path)}
            />
          </li>
        ))}
      </ul>
      {settled && !isSearching && results.length === 0 && (
        <Text c="dimmed" p="sm">
          Nothing found. Names are found from their beginning; IDs, IBANs and amounts must be
          complete.
        </Text>
      )}
    </Modal>
  )
}
