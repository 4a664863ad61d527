import { requireFound } from '../../../kernel/authorization/auth.ts'
import { id, label, object } from '../../../kernel/domain/model.ts'
import { FieldResolver, Resolver, Root } from '../../../kernel/graph/decorators.ts'
import { listing, operation, resolverOf } from '../../../kernel/graph/operations.ts'
import { transitionsOf } from '../../../kernel/graph/transitions.ts'
import { changeProduct, createProduct } from '../commands/product.ts'
import { chooseVersion, requireNoneActive, type NewProduct } from '../domain/product.ts'
import { unmetRequirements } from '../domain/requirements.ts'
import { ProductRequirement, ProductStatus } from '../model/enumerations.ts'
import { ProductFee } from '../model/fee.ts'
import { CreateProductInput } from '../model/product-inputs.ts'
import { Product, productStates } from '../model/product.ts'
import type { ProductRateReset, ProductRateResetInput } from '../model/rate-reset.ts'
import { findProductVersions, listProducts, loadVersions } from '../store/product.ts'
import { ProductDepositInterest } from '../model/deposit-interest.ts'
import { depositInterestIn, depositInterestOut } from './deposit-interest-in-graph.ts'
import { ProductOverdraft } from '../model/overdraft.ts'
import { overdraftIn, overdraftOut } from './overdraft-in-graph.ts'
import { feeIn, feeOut } from './fee-in-graph.ts'
import { textFilter, withTextFilter } from '../../../kernel/graph/text-filter.ts'

const products = listing(Product, {
  description: 'Returns product versions in order of creation. All filters must match.',
  scope: 'products:read',
  filters: {
    productId: id('Returns only versions of this product.').orNull(),
    search: label('Returns only versions whose name or product ID contains this text.').orNull(),
    productClass: label(
      'Returns only products of this class, spelled exactly as when they were created.',
    ).orNull(),
    status: textFilter('Returns only versions in this state', ProductStatus),
  },
  list: listProducts,
  sortKey: (product) => [product.createdAt.toISOString(), product.productId, product.version],
})

export const ProductOperations = resolverOf({
  queries: {
    product: operation({
      description:
        'Returns one version of a product: the version with the given label. Without a label, ' +
        'returns the active version or, if none is active, the newest version.',
      scope: 'products:read',
      returns: Product,
      args: {
        productId: id('The ID of the product.'),
        version: label(
          'The label of the version. Defaults to the active version, or to the newest version if ' +
            'none is active.',
        ).orNull(),
      },
      async resolve(context, { productId, version }) {
        const versions = (await loadVersions(context, productId)) ?? []
        return requireFound(chooseVersion(versions, version), 'PRODUCT_NOT_FOUND', productId)
      },
    }),
    products: withTextFilter(products, 'status', ProductStatus),
  },
  mutations: {
    createProduct: operation({
      description:
        'Creates a version of a product. A repeated request with the same content returns the ' +
        'existing version; different content under the same version label is rejected.',
      scope: 'products:write',
      returns: Product,
      args: { input: object(CreateProductInput, 'The product version to create.') },
      resolve: (context, { input }) => createProduct(context, requestOf(input)),
    }),
    ...transitionsOf(productStates, changeProduct, {
      async resumeProduct(resumed, { context, before }) {
        requireNoneActive(before, (await findProductVersions(context, before.productId))!)
        return resumed
      },
    }),
  },
})

@Resolver(() => Product)
export class ProductResolver {
  @FieldResolver(() => [ProductRequirement], {
    description:
      'What the version lacks and needs for its intended use; empty if nothing is missing, or if ' +
      'the version is superseded, retired or withdrawn.',
  })
  missing(@Root() product: Product): ProductRequirement[] {
    return unmetRequirements(product)
  }

  @FieldResolver(() => [ProductFee], { description: 'The fees of the product version.' })
  fees(@Root() { fees }: Product): ProductFee[] {
    return fees.map(feeOut)
  }

  @FieldResolver(() => ProductDepositInterest, {
    nullable: true,
    description:
      'The interest that the version pays on the balances of accounts; null if accounts earn ' +
      'no interest.',
  })
  depositInterest(@Root() { depositInterest }: Product): ProductDepositInterest | null {
    return depositInterest && depositInterestOut(depositInterest)
  }

  @FieldResolver(() => ProductOverdraft, {
    nullable: true,
    description:
      'The terms on which accounts under the version can be overdrawn; null if overdrafts bear ' +
      'no interest.',
  })
  overdraft(@Root() { overdraft }: Product): ProductOverdraft | null {
    return overdraft && overdraftOut(overdraft)
  }
}

function resetOf({
  frequency,
  lookbackDays,
  minimumRatePct,
  maximumRatePct,
}: ProductRateResetInput): ProductRateReset {
  return {
    frequency,
    lookbackDays: lookbackDays ?? 2,
    minimumRatePct: minimumRatePct ?? '0',
    maximumRatePct: maximumRatePct ?? null,
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
  depositInterest,
  overdraft,
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
        reset: interest.reset ? resetOf(interest.reset) : null,
      },
    }),
    ...(depositInterest && { depositInterest: depositInterestIn(depositInterest) }),
    ...(overdraft && { overdraft: overdraftIn(overdraft) }),
  }
}
