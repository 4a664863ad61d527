import { useNavigate, useSearch } from '@tanstack/react-router'

/** Returns what the address says about a tab, and a function that changes it. */
export function useTabState() {
  const search = useSearch({ from: '/contact-center' })
  const navigate = useNavigate({ from: '/contact-center' })
  const change = (values: { after?: string | undefined; dialog?: string; status?: string }) =>
    void navigate({ search: (old) => ({ ...old, ...values }) as typeof old, resetScroll: false })
  return { ...search, change }
}
