import { Arg, Directive, Field, Int, ObjectType, type ClassType } from 'type-graphql'
import type { Context } from '../environment/context.ts'
import { keyOwner } from '../writing/attempts.ts'
import { Problem } from '../domain/problem.ts'
import { decryptPageToken, pageBinding, encryptPageToken } from './page-token.ts'

export const defaultPageSize = 50
export const maxPageSize = 200

export const firstDescription = (maxSize: number): string =>
  `The maximum number of records to return, from 1 to ${maxSize}. ` +
  `Defaults to ${Math.min(defaultPageSize, maxSize)}.`

export const afterDescription =
  'Returns the records after this cursor: pass `endCursor` of the previous page, with the same ' +
  'filters. A cursor is valid for three days. If omitted, the first page is returned.'

/** Declares the `first` argument of a connection. Its type is `number | null`. */
export function FirstArg(maxSize = maxPageSize): ReturnType<typeof Arg> {
  return Arg('first', () => Int, {
    nullable: true,
    description: firstDescription(maxSize),
  })
}

/** Declares the `after` argument of a connection. Its type is `string | null`. */
export function AfterArg(): ReturnType<typeof Arg> {
  return Arg('after', () => String, {
    nullable: true,
    description: afterDescription,
  })
}

@ObjectType({ description: 'The position of a page within a list.' })
@Directive('@shareable')
export class PageInfo {
  @Field(() => Boolean, { description: 'Whether more records follow this page.' })
  hasNextPage: boolean

  @Field(() => String, {
    nullable: true,
    description:
      'The cursor of the last record on this page. Pass it as `after` to get the next page. ' +
      'Null if the page is empty.',
  })
  endCursor: string | null

  @Field(() => Int, {
    description:
      'The maximum number of records on this page: the value of `first`, or its default.',
  })
  pageSize: number
}

/** One page of a list in a stable order, with a cursor for each record. */
export interface Page<Node> {
  nodes: Node[]
  edges: { cursor: string; node: Node }[]
  pageInfo: PageInfo
}

/** Creates the connection types of a node class, named `<Name>Connection` and `<Name>Edge`. */
export function connectionClass<Node extends object>(
  name: string,
  node: () => ClassType<Node>,
): ClassType<Page<Node>> {
  @ObjectType(`${name}Edge`, { description: `One ${name} in a list, with its cursor.` })
  class Edge {
    @Field(() => String, {
      simple: true,
      description:
        'The opaque cursor of this record. Pass it as `after` to get the records that follow it.',
    })
    cursor: string

    @Field(node, {
      simple: true,
      description: `The ${name} at this position of the list.`,
    })
    node: Node
  }

  @ObjectType(`${name}Connection`, { description: `One page of a list of ${name} records.` })
  class Connection {
    @Field(() => [node()], {
      simple: true,
      description: 'The records on this page, in list order.',
    })
    nodes: Node[]

    @Field(() => [Edge], {
      description: 'The records on this page, in list order, each with its cursor.',
    })
    edges: Edge[]

    @Field(() => PageInfo, { description: 'The position of this page within the list.' })
    pageInfo: PageInfo
  }
  return Connection as ClassType<Page<Node>>
}

export interface PageRequest {
  first?: number | null
  after?: string | null
}

/**
 * Reads one page. `read` receives the sort key of the last row of the previous page (null for the
 * first page) and the number of rows to return. This number is one more than the page size: the
 * extra row shows whether another page follows. `sortKey` returns the sort key of a row. `limit` is
 * the maximum page size. Throws PAGE_SIZE_INVALID, PAGE_TOKEN_INVALID, PAGE_TOKEN_EXPIRED.
 */
export async function readPage<Node>(
  context: Context,
  operation: string,
  filters: Readonly<Record<string, unknown>>,
  request: PageRequest,
  read: (after: string[] | null, take: number) => Promise<Node[]>,
  sortKey: (node: Node) => string[],
  limit = maxPageSize,
): Promise<Page<Node>> {
  const pageSize = request.first ?? Math.min(defaultPageSize, limit)
  requirePageSize(pageSize, limit)
  const { pageKeys } = context.bank
  const binding = pageBinding(keyOwner(context), operation, filters)
  const now = Date.now()
  const after =
    typeof request.after === 'string'
      ? decryptPageToken(pageKeys, binding, request.after, now)
      : null
  const rows = await read(after, pageSize + 1)
  const nodes = rows.slice(0, pageSize)
  const cursorOf = (node: Node) => encryptPageToken(pageKeys, binding, sortKey(node), now)
  const hasNextPage = rows.length > pageSize
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: cursorOf(node), node }))
    },
    pageInfo: {
      hasNextPage,
      get endCursor() {
        return nodes.length > 0 ? cursorOf(nodes.at(-1)!) : null
      },
      pageSize,
    },
  }
}

/** Throws PAGE_SIZE_INVALID unless `first` is a whole number from 1 to `max`. */
export function requirePageSize(first: number, max = maxPageSize): void {
  if (Number.isInteger(first) && first >= 1 && first <= max) return
  const detail = `The value must be a whole number from 1 to ${max}.`
  throw new Problem('PAGE_SIZE_INVALID', {
    detail,
    errors: [{ pointer: '/first', code: 'PAGE_SIZE_INVALID', detail }],
  })
}

/**
 * Returns the Prisma condition for the rows after a sort key `(time, id)` in descending order, the
 * latest first; an empty condition if `after` is null.
 */
export function beforeTimeAndId(timeField: string, idField: string, after: string[] | null) {
  if (!after) return {}
  const instant = new Date(after[0]!)
  return {
    OR: [{ [timeField]: { lt: instant } }, { [timeField]: instant, [idField]: { lt: after[1] } }],
  }
}

/**
 * Returns the Prisma condition for the rows after a sort key `(time, id)` in ascending order; an
 * empty condition if `after` is null.
 */
export function afterTimeAndId(timeField: string, idField: string, after: string[] | null): object {
  if (!after) return {}
  const instant = new Date(after[0]!)
  return {
    OR: [{ [timeField]: { gt: instant } }, { [timeField]: instant, [idField]: { gt: after[1] } }],
  }
}
