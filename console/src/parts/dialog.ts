import { useNavigate, useSearch } from '@tanstack/react-router'

/**
 * Returns the name of the dialog that the address of the page opens, and a function that opens another
 * one or, without a name, closes it.
 */
export function useDialog() {
  const { dialog } = useSearch({ strict: false })
  const navigate = useNavigate()
  const open = (name?: string) =>
    void navigate({ to: '.', search: (old) => ({ ...old, dialog: name }), resetScroll: false })
  return { dialog, open }
}
