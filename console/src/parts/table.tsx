/* oxlint-disable jsx-a11y/prefer-tag-over-role -- On a phone, the rows are blocks: browsers then forget that the elements are a table. */
import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty } from './page.tsx'

/** A column of a table: its heading, and the content of its cells. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers and amounts are aligned to the right. */
  isNumeric?: boolean
}

/** A page of a list, as the graph returns it. */
interface Connection<Row> {
  nodes: readonly Row[]
  pageInfo: { hasNextPage: boolean; endCursor?: string | null }
}

interface ConnectionTableProps<Row> {
  label: string
  /** Undefined until the first answer. */
  connection: Connection<Row> | null | undefined
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The cursor of the page that is shown, from the address of the page. */
  after?: string | undefined
  onPage?: (after: string | undefined) => void
  empty: ReactNode
}

/**
 * A list of records, page by page. The cursor of the page is part of the address, so that a link leads
 * to the same page and Back to the one before. On a phone, each record is a block with one line for
 * each column; the roles keep it a table for screen readers.
 */
export function ConnectionTable<Row>(props: ConnectionTableProps<Row>) {
  const { label, connection, columns, keyOf, after, onPage, empty } = props
  if (connection?.nodes.length === 0 && !after) return <Empty>{empty}</Empty>
  const { hasNextPage, endCursor } = connection?.pageInfo ?? {}
  const alignment = ({ isNumeric }: Column<Row>) => (isNumeric ? 'right' : undefined)
  return (
    <>
      <Table.ScrollContainer minWidth={columns.length * 110} type="native" className="rows">
        <Table role="table" highlightOnHover aria-label={label} aria-busy={!connection}>
          <Table.Thead role="rowgroup">
            <Table.Tr role="row">
              {columns.map((column) => (
                <Table.Th role="columnheader" key={column.title} ta={alignment(column)}>
                  {column.title}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody role="rowgroup">
            {connection
              ? connection.nodes.map((row) => (
                  <Table.Tr role="row" key={keyOf(row)}>
                    {columns.map((column) => (
                      <Table.Td
                        role="cell"
                        key={column.title}
                        ta={alignment(column)}
                        data-title={column.title}
                      >
                        {/* On a phone, the value is one item beside the title, whatever it consists of. */}
                        <div>{column.cell(row)}</div>
                      </Table.Td>
                    ))}
                  </Table.Tr>
                ))
              : placeholderRows(columns.length)}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {onPage && (after || hasNextPage) && (
        <Group justify="space-between" mt="sm">
          <Button variant="default" size="xs" disabled={!after} onClick={() => onPage(undefined)}>
            First page
          </Button>
          {connection?.nodes.length === 0 && <Text size="sm">There are no more entries.</Text>}
          <Button
            variant="default"
            size="xs"
            disabled={!hasNextPage}
            onClick={() => onPage(endCursor ?? undefined)}
          >
            Next page
          </Button>
        </Group>
      )}
    </>
  )
}

const placeholderRows = (columns: number) =>
  Array.from({ length: 5 }, (_, row) => (
    <Table.Tr key={row}>
      {Array.from({ length: columns }, (_, column) => (
        <Table.Td key={column}>
          <Skeleton height={16} />
        </Table.Td>
      ))}
    </Table.Tr>
  ))
