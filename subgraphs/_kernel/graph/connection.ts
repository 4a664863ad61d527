import { Directive, Field, Int, ObjectType, type ClassType } from 'type-graphql'
import type { Context } from '../context.ts'
import { keyOwner } from '../command.ts'
import { Problem } from '../domain/problem.ts'
import { openPageToken, pageBinding, sealPageToken } from '../page-token.ts'

export const defaultPageSize = 50
export const mostPageSize = 200

@ObjectType({ description: 'Where a page ends, and whether there is more.' })
@Directive('@shareable')
export class PageInfo {
  @Field(() => Boolean)
  hasNextPage: boolean

  @Field(() => String, { nullable: true, description: 'Opaque: `after` of the next page.' })
  endCursor: string | null

  @Field(() => Int, { description: 'How many records were asked for.' })
  pageSize: number
}

/** One page of records: `nodes` in stable order, `edges` with a cursor for each. */
export interface Page<Node> {
  nodes: Node[]
  edges: { cursor: string; node: Node }[]
  pageInfo: PageInfo
}

/** The connection types of a node class, named `<Name>Connection` and `<Name>Edge`. */
export function connectionOf<Node extends object>(
  name: string,
  node: () => ClassType<Node>,
): ClassType<Page<Node>> {
  @ObjectType(`${name}Edge`)
  class Edge {
    @Field(() => String, { description: 'Opaque: `after` of the page that follows this record.' })
    cursor: string

    @Field(node)
    node: Node
  }

  @ObjectType(`${name}Connection`)
  class Connection {
    @Field(() => [node()])
    nodes: Node[]

    @Field(() => [Edge])
    edges: Edge[]

    @Field(() => PageInfo)
    pageInfo: PageInfo
  }
  return Connection as ClassType<Page<Node>>
}

export interface PageAsked {
  first?: number | null
  after?: string | null
}

/**
 * Reads one page. `read` gets the sort key of the row to start after (null at the beginning) and
 * how many rows to take, one more than the page holds; `sortKey` names a row's place in the order;
 * `most` is the largest page that may be asked for.
 * Refuses with PAGE_SIZE_INVALID, PAGE_TOKEN_INVALID, PAGE_TOKEN_EXPIRED.
 */
export async function readPage<Node>(
  context: Context,
  operation: string,
  filters: Readonly<Record<string, unknown>>,
  asked: PageAsked,
  read: (after: string[] | null, take: number) => Promise<Node[]>,
  sortKey: (node: Node) => string[],
  most = mostPageSize,
): Promise<Page<Node>> {
  const pageSize = asked.first ?? defaultPageSize
  requirePageSize(pageSize, most)
  const { pageKeys } = context.bank
  const binding = pageBinding(keyOwner(context), operation, filters)
  const now = Date.now()
  const after =
    typeof asked.after === 'string' ? openPageToken(pageKeys, binding, asked.after, now) : null
  const rows = await read(after, pageSize + 1)
  const nodes = rows.slice(0, pageSize)
  const seal = (node: Node) => sealPageToken(pageKeys, binding, sortKey(node), now)
  const hasNextPage = rows.length > pageSize
  return {
    nodes,
    get edges() {
      return nodes.map((node) => ({ cursor: seal(node), node }))
    },
    pageInfo: {
      hasNextPage,
      get endCursor() {
        return nodes.length > 0 ? seal(nodes.at(-1)!) : null
      },
      pageSize,
    },
  }
}

/** Throws PAGE_SIZE_INVALID for a `first` that is not a whole number from 1 to the largest page. */
export function requirePageSize(first: number, max = mostPageSize): void {
  if (Number.isInteger(first) && first >= 1 && first <= max) return
  const detail = `The value must be a whole number from 1 to ${max}.`
  throw new Problem('PAGE_SIZE_INVALID', {
    detail,
    errors: [{ pointer: '/first', code: 'PAGE_SIZE_INVALID', detail }],
  })
}

/** The Prisma condition for rows after a sort key of `(time, id)`, both ascending. */
export function afterTimeAndId(time: string, id: string, after: string[] | null): object {
  if (!after) return {}
  const instant = new Date(after[0]!)
  return { OR: [{ [time]: { gt: instant } }, { [time]: instant, [id]: { gt: after[1] } }] }
}
