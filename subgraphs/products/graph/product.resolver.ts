import { ProductStatus, ProductRequirement } from '../model/enumerations.ts'
import {
  Arg,
  Ctx,
  FieldResolver,
  ID,
  Mutation,
  Query,
  Resolver,
  Root,
} from '../../../kernel/graph/decorators.ts'
import { Requires } from '../../../kernel/authorization/auth.ts'
import type { Context } from '../../../kernel/environment/context.ts'
import { filterDescription, filterValue } from '../../../kernel/domain/filter-value.ts'
import { Problem } from '../domain/problems.ts'
import { AfterArg, FirstArg, type Page, readPage } from '../../../kernel/graph/connection.ts'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'
import { changeProduct, createProduct } from '../commands/product.ts'
import {
  activateVersion,
  chooseVersion,
  resumeVersion,
  retireVersion,
  suspendVersion,
  withdrawVersion,
  type NewProduct,
  type Product as DomainProduct,
} from '../domain/product.ts'
import { unmetRequirements } from '../domain/requirements.ts'
import { listProducts, loadVersions } from '../store/product.ts'
import { feeIn, feeOut } from './fee-in-graph.ts'
import { ProductFee } from '../model/fee.ts'
import { CreateProductInput } from '../model/product-inputs.ts'
import { Product, ProductConnection } from '../model/product.ts'

@Resolver(() => Product)
export class ProductResolver {
  @Requires('products:read')
  @Query(() => Product, {
    nullable: true,
    description:
      'Returns one version of a product: the version with the given label. Without a label, ' +
      'returns the active version or, if none is active, the newest version.',
  })
  async product(
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, {
      nullable: true,
      description:
        'The label of the version. Defaults to the active version, or to the newest version if ' +
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
    description: 'Returns product versions in order of creation. All filters must match.',
  })
  products(
    @Arg('productId', () => ID, {
      nullable: true,
      description: 'Returns only versions of this product.',
    })
    productId: string | null,
    @Arg('productClass', () => LabelScalar, {
      nullable: true,
      description:
        'Returns only products of this class, spelled exactly as when they were created.',
    })
    productClass: string | null,
    @Arg('status', () => String, {
      nullable: true,
      description: filterDescription('Returns only versions in this state', ProductStatus.values),
    })
    status: string | null,
    @FirstArg()
    first: number | null,
    @AfterArg()
    after: string | null,
    @Ctx() context: Context,
  ): Promise<Page<DomainProduct>> {
    const filter = {
      productId: productId ?? null,
      productClass: productClass ?? null,
      status: filterValue(status, ProductStatus.values, '/status'),
    }
    return readPage(
      context,
      'products',
      filter,
      { first, after },
      (afterKey, take) => listProducts(context, filter, afterKey, take),
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
    return createProduct(context, requestOf(input))
  }

  @Requires('products:write')
  @Mutation(() => Product, {
    description: 'Puts a draft version on sale. It supersedes the previous active version.',
  })
  activateProduct(
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the draft version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'activateProduct', key, activateVersion)
  }

  @Requires('products:write')
  @Mutation(() => Product, { description: 'Temporarily takes an active version off sale.' })
  suspendProduct(
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
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
      'Puts a suspended version back on sale. Rejected while another version of the product is ' +
      'active.',
  })
  resumeProduct(
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
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
      'Permanently takes an active, suspended or superseded version off sale. Existing ' +
      'arrangements are not affected.',
  })
  retireProduct(
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
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
    @Arg('productId', () => ID, { description: 'The ID of the product.' })
    productId: string,
    @Arg('version', () => LabelScalar, { description: 'The label of the draft version.' })
    label: string,
    @Ctx() context: Context,
  ): Promise<DomainProduct> {
    const key = { productId, version: label }
    return changeProduct(context, 'withdrawProduct', key, withdrawVersion)
  }

  @FieldResolver(() => [ProductRequirement], {
    description:
      'What the version lacks and needs for its intended use; empty if nothing is missing, or if ' +
      'the version is superseded, retired or withdrawn.',
  })
  missing(@Root() product: DomainProduct): ProductRequirement[] {
    return unmetRequirements(product)
  }

  @FieldResolver(() => [ProductFee], { description: 'The fees of the product version.' })
  fees(@Root() { fees }: DomainProduct): ProductFee[] {
    return fees.map(feeOut)
  }
}

/**
 * Converts the input to a request of the domain. Amounts become minor units, and omitted fields of
 * parameters and of the interest get their defaults.
 */
function requestOf({
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
      parameters: parameters.map(({ name, type, minimum, maximum, default: defaultValue }) => ({
        name,
        type,
        minimum: minimum ?? null,
        maximum: maximum ?? null,
        default: defaultValue ?? null,
      })),
    }),
    ...(fees && { fees: fees.map((fee, index) => feeIn(fee, `/fees/${index}`)) }),
    ...(interest && {
      interest: {
        basePct: interest.basePct,
        marginPct: interest.marginPct ?? '0',
        referenceRate: interest.referenceRate ?? null,
      },
    }),
  }
}
