import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { useNavigation } from './navigation.tsx'

/** How long the second key of `g` and a letter may take. */
const sequenceMs = 1500
const storageKey = 'bankgraph.shortcuts'

const listeners = new Set<() => void>()

/** Whether single keys act; people who speak to their computer turn them off (WCAG 2.1.4). */
export const singleKeys = {
  isOn: (): boolean => localStorage.getItem(storageKey) !== 'off',
  set(isOn: boolean): void {
    if (isOn) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, 'off')
    for (const listener of listeners) listener()
  },
  subscribe(listener: () => void): () => void {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

export const useSingleKeys = (): boolean =>
  useSyncExternalStore(singleKeys.subscribe, singleKeys.isOn)

/**
 * The keys that act everywhere except in fields and dialogs: `?` shows them, `g` and a letter open a
 * page, `j` and `k` move through the rows of a list. Returns whether their dialog is shown.
 */
export function useShortcuts(): { isShown: boolean; show: () => void; hide: () => void } {
  const [isShown, setIsShown] = useState(false)
  const isOn = useSingleKeys()
  const navigate = useNavigate()
  const entries = useNavigation()
  /** When `g` was pressed; the page may be drawn again before the letter comes. */
  const goneAt = useRef(-sequenceMs)
  useEffect(() => {
    if (!isOn) return
    const onKey = (event: KeyboardEvent) => {
      if (isForOthers(event)) return
      const isSecond = event.timeStamp - goneAt.current < sequenceMs
      goneAt.current = -sequenceMs
      const target = isSecond ? entries.find(({ key }) => key === event.key) : undefined
      if (target) void navigate({ to: target.path })
      else if (event.key === 'g') goneAt.current = event.timeStamp
      else if (event.key === '?') setIsShown(true)
      else if (event.key === 'j') moveInList(1)
      else if (event.key === 'k') moveInList(-1)
      else return
      event.preventDefault()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isOn, entries, navigate])
  return { isShown, show: () => setIsShown(true), hide: () => setIsShown(false) }
}

/** Whether a key is meant for a field, a dialog, the browser, or something that used it already. */
function isForOthers(event: KeyboardEvent): boolean {
  const { target, defaultPrevented, ctrlKey, metaKey, altKey } = event
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches('input, textarea, select, [role=combobox]'))
  const isCovered = document.querySelector('[role=dialog][aria-modal=true]') !== null
  return defaultPrevented || ctrlKey || metaKey || altKey || isTyping || isCovered
}

/** Moves the focus to the first link of the next or the previous row of the page's lists. */
function moveInList(step: 1 | -1): void {
  const rows = [...document.querySelectorAll('main tbody tr, main ul.plain > li')]
  const links = rows.flatMap((row) => row.querySelector<HTMLElement>('a, button') ?? [])
  const row = document.activeElement?.closest('tr, li')
  const current = links.findIndex((link) => row?.contains(link))
  const next = current < 0 ? (step > 0 ? 0 : links.length - 1) : current + step
  links[Math.min(Math.max(next, 0), links.length - 1)]?.focus()
}
