import { Arg, Ctx, FieldResolver, ID, Int, Mutation, Query, Resolver, Root } from 'type-graphql'
import { Requires } from '../../_kernel/auth.ts'
import type { Context } from '../../_kernel/context.ts'
import { filterDescription, filterValue } from '../../_kernel/domain/filter-value.ts'
import { Problem } from '../../_kernel/domain/problem.ts'
import { readPage, type Page } from '../../_kernel/graph/connection.ts'
import { LabelScalar } from '../../_kernel/scalars.ts'
import { changeProduct, createProduct } from '../change.ts'
import {
  activateVersion,
  chooseVersion,
  productStatuses,
  resumeVersion,
  retireVersion,
  suspendVersion,
  withdrawVersion,
  type NewProduct,
  type Product as DomainProduct,
} from '../domain/product.ts'
import { listProducts, loadVersions } from '../store/product.ts'
import { feeIn, feeOut } from './fee-in-graph.ts'
import { ProductFee } from './fee.types.ts'
import { CreateProductInput, Product, ProductConnection } from './product.types.ts'

const version = { description: 'The label of the version.' }

@Resolver(() => Product)
export class ProductResolver {
  @Requires('products:read')
  @Query(() => Product, {
    nullable: true,
    description: 'One version of a product; without `version` the active one, else the newest.',
  })
  async product(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, { ...version, nullable: true }) label: string | null,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const product = chooseVersion((await loadVersions(context, productId)) ?? [], label)
    if (product) return product
    throw new Problem('PRODUCT_NOT_FOUND', { resourceId: productId })
  }

  @Requires('products:read')
  @Query(() => ProductConnection, {
    description: 'Versions of products, in the order they were written.',
  })
  products(
    @Arg('productId', () => ID, { nullable: true }) productId: string | null,
    @Arg('productClass', () => LabelScalar, { nullable: true }) productClass: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Only versions in this status', productStatuses),
    })
    status: string | null,
    @Arg('first', () => Int, { nullable: true }) first: number | null,
    @Arg('after', () => String, { nullable: true }) after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainProduct>> {
    const filter = {
      productId: productId ?? null,
      productClass: productClass ?? null,
      status: filterValue(status, productStatuses, '/status'),
    }
    return readPage(
      context,
      'products',
      filter,
      { first, after },
      (from, take) => listProducts(context, filter, from, take),
      (product) => [product.createdAt.toISOString(), product.productId, product.version],
    )
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description:
      'Writes a version of a product. Versions do not change: the same content again answers the ' +
      'same version, other content is refused. An active version supersedes the one that was.',
  })
  createProduct(
    @Arg('input', () => CreateProductInput) input: CreateProductInput,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    return createProduct(context, asked(input))
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description: 'Puts a draft on offer, in the place of the version that was.',
  })
  activateProduct(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, version) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'activateProduct', key, activateVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Takes a version off offer for a while.' })
  suspendProduct(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, version) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'suspendProduct', key, suspendVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Puts a suspended version on offer again.' })
  resumeProduct(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, version) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'resumeProduct', key, resumeVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description: 'Ends a version for good; what was opened under it goes on.',
  })
  retireProduct(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, version) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'retireProduct', key, retireVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Gives up a draft.' })
  withdrawProduct(
    @Arg('productId', () => ID) productId: string,
    @Arg('version', () => LabelScalar, version) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'withdrawProduct', key, withdrawVersion)
  }

  @FieldResolver(() => [ProductFee])
  fees(@Root() { fees }: DomainProduct): ProductFee[] {
    return fees.map(feeOut)
  }
}

/** The input as the domain takes it: what may be left out is null, amounts are minor units. */
function asked({
  currencies,
  parameters,
  fees,
  interest,
  ...input
}: CreateProductInput): NewProduct {
  return {
    ...input,
    ...(currencies && { currencies }),
    ...(parameters && {
      parameters: parameters.map(({ name, type, minimum, maximum, default: fallback }) => ({
        name,
        type,
        minimum: minimum ?? null,
        maximum: maximum ?? null,
        default: fallback ?? null,
      })),
    }),
    ...(fees && { fees: fees.map((fee, at) => feeIn(fee, `/fees/${at}`)) }),
    ...(interest && {
      interest: {
        basePct: interest.basePct,
        marginPct: interest.marginPct ?? '0',
        referenceRate: interest.referenceRate ?? null,
      },
    }),
  }
}
