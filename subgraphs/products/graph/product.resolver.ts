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
import { CreateProductInput } from './product.inputs.ts'
import { Product, ProductConnection } from './product.types.ts'

@Resolver(() => Product)
export class ProductResolver {
  @Requires('products:read')
  @Query(() => Product, {
    nullable: true,
    description:
      'Returns one version of a product: the given version, otherwise the active one, ' +
      'otherwise the newest one.',
  })
  async product(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, {
      nullable: true,
      description:
        'The label of the version; the active version when omitted, or the newest one when ' +
        'none is active.',
    })
    label: string | null,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const product = chooseVersion((await loadVersions(context, productId)) ?? [], label)
    if (product) return product
    throw new Problem('PRODUCT_NOT_FOUND', { resourceId: productId })
  }

  @Requires('products:read')
  @Query(() => ProductConnection, {
    description: 'Returns product versions in the order of their creation. All filters must match.',
  })
  products(
    @Arg('productId', () => ID, { nullable: true, description: 'Only versions of this product.' })
    productId: string | null,
    @Arg('productClass', () => LabelScalar, {
      nullable: true,
      description: 'Only products of this class, in the spelling with which they were created.',
    })
    productClass: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Only versions in this state', productStatuses),
    })
    status: string | null,
    @Arg('first', () => Int, {
      nullable: true,
      description: 'The maximum number of records on the page, from 1 to 200; 50 when omitted.',
    })
    first: number | null,
    @Arg('after', () => String, {
      nullable: true,
      description:
        "The cursor after which the page starts: the `endCursor` or an edge's `cursor` of an " +
        'earlier page; the first page when omitted.',
    })
    after: string | null,
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
      'Creates a version of a product. A repeated request with the same content returns the ' +
      'existing version; different content under the same version label is rejected.',
  })
  createProduct(
    @Arg('input', () => CreateProductInput, { description: 'The product version to create.' })
    input: CreateProductInput,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    return createProduct(context, asked(input))
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description: 'Puts a draft version on offer. It supersedes the version that was active before.',
  })
  activateProduct(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the draft version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'activateProduct', key, activateVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Temporarily takes an active version off offer.' })
  suspendProduct(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the active version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'suspendProduct', key, suspendVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description:
      'Puts a suspended version back on offer. Rejected while another version of the ' +
      'product is active.',
  })
  resumeProduct(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the suspended version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'resumeProduct', key, resumeVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description:
      'Permanently takes an active, suspended or superseded version off offer. Existing ' +
      'arrangements are not affected.',
  })
  retireProduct(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the version.' }) label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'retireProduct', key, retireVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Discards a draft version.' })
  withdrawProduct(
    @Arg('productId', () => ID, { description: 'The identifier of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the draft version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'withdrawProduct', key, withdrawVersion)
  }

  @FieldResolver(() => [ProductFee], { description: 'The fees of the product version.' })
  fees(@Root() { fees }: DomainProduct): ProductFee[] {
    return fees.map(feeOut)
  }
}

/** Converts the input to the domain: omitted fields become null, amounts become minor units. */
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
