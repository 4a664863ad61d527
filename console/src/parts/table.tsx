/* oxlint-disable jsx-a11y/prefer-tag-over-role -- On a phone, the rows are blocks: browsers then forget that the elements are a table. */
import { Button, Group, Skeleton, Table, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { Empty } from './page.tsx'
import { ProblemAlert } from './problem-alert.tsx'

/** A column of a table: its heading, and the content of its cells. */
export interface Column<Row> {
  title: string
  cell: (row: Row) => ReactNode
  /** Numbers and amounts are aligned to the right. */
  isNumeric?: boolean
  /** Whether only screen readers read the title, because the cells say what they are. */
  isTitleHidden?: boolean
}

interface RowTableProps<Row> {
  label: string
  /** Undefined until the first answer. */
  rows: readonly Row[] | undefined
  columns: readonly Column<Row>[]
  keyOf: (row: Row) => string
  /** The last line, such as totals: one content for each column. */
  footer?: readonly ReactNode[]
  /** The height above which the rows scroll below the headings. */
  maxHeight?: number
}

const alignmentOf = ({ isNumeric }: { isNumeric?: boolean }) => (isNumeric ? 'right' : undefined)

/**
 * Records as the rows of a table. On a phone, each record is a block with one line for each column;
 * the roles keep it a table for screen readers.
 */
export function RowTable<Row>(props: RowTableProps<Row>) {
  const { label, rows, columns, keyOf, footer, maxHeight } = props
  return (
    <Table.ScrollContainer
      minWidth={columns.length * 110}
      {...(maxHeight !== undefined && {
        maxHeight,
        tabIndex: 0,
        role: 'region',
        'aria-label': label,
      })}
      type="native"
      className="rows"
    >
      <Table
        role="table"
        highlightOnHover
        stickyHeader={maxHeight !== undefined}
        aria-label={label}
        aria-busy={!rows}
      >
        <Table.Thead role="rowgroup">
          <Table.Tr role="row">
            {columns.map(({ title, isTitleHidden, ...column }) => (
              <Table.Th role="columnheader" key={title} ta={alignmentOf(column)}>
                {isTitleHidden ? <span className="visually-hidden">{title}</span> : title}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody role="rowgroup">
          {rows
            ? rows.map((row) => (
                <Cells key={keyOf(row)} columns={columns} content={({ cell }) => cell(row)} />
              ))
            : Array.from({ length: 5 }, (_, row) => (
                <Cells
                  key={row}
                  columns={columns}
                  content={() => <Skeleton height={16} miw={40} />}
                />
              ))}
        </Table.Tbody>
        {footer && (
          <Table.Tfoot role="rowgroup">
            <Cells columns={columns} content={(_, index) => footer[index]} />
          </Table.Tfoot>
        )}
      </Table>
    </Table.ScrollContainer>
  )
}

interface CellsProps<Row> {
  columns: readonly Column<Row>[]
  content: (column: Column<Row>, index: number) => ReactNode
}

function Cells<Row>({ columns, content }: CellsProps<Row>) {
  return (
    <Table.Tr role="row">
      {columns.map((column, index) => (
        <Table.Td
          role="cell"
          key={column.title}
          ta={alignmentOf(column)}
          data-title={column.isTitleHidden ? '' : column.title}
        >
          {/* On a phone, the value is one item beside the title, whatever it consists of. */}
          <div>{content(column, index)}</div>
        </Table.Td>
      ))}
    </Table.Tr>
  )
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
  /** Why the answer, or a newer one, did not arrive. */
  error?: unknown
  onRetry?: () => void
}

/**
 * A list of records, page by page. The cursor of the page is part of the address, so that a link leads
 * to the same page and Back to the one before.
 */
export function ConnectionTable<Row>(props: ConnectionTableProps<Row>) {
  const { label, connection, columns, keyOf, after, onPage, empty, error, onRetry } = props
  const problem = Boolean(error) && <ProblemAlert error={error} {...(onRetry && { onRetry })} />
  if (problem && !connection) return problem
  if (connection?.nodes.length === 0 && !after) return <Empty>{empty}</Empty>
  const { hasNextPage, endCursor } = connection?.pageInfo ?? {}
  return (
    <>
      {problem}
      <RowTable label={label} rows={connection?.nodes} columns={columns} keyOf={keyOf} />
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
