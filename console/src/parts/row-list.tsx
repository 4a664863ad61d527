import { Stack } from '@mantine/core'
import type { ReactNode } from 'react'

/** A line of a list: what it is, and on the right what is known about it. */
export interface Row {
  key: string
  link: ReactNode
  about: ReactNode
}

/** Records of several kinds below each other. On a phone, what is known is below each link. */
export const RowList = ({ rows }: { rows: readonly Row[] }) => (
  <Stack gap={0} component="ul" className="row-list">
    {rows.map(({ key, link, about }) => (
      <li key={key}>
        <div className="row-link">{link}</div>
        <div className="row-about">{about}</div>
      </li>
    ))}
  </Stack>
)
