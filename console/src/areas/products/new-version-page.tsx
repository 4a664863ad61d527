import { useNavigate, useSearch } from '@tanstack/react-router'
import { NotFound } from '../../app/faults.tsx'
import { CommandForm } from '../../parts/command-form.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Query } from '../../parts/query.tsx'
import { CreateProductDocument, ProductVersionDocument } from './queries.generated.ts'
import { VersionFields } from './version-fields.tsx'
import {
  emptyVersion,
  errorsOf,
  fieldOf,
  inputOf,
  valuesFrom,
  type VersionValues,
} from './version-input.ts'
import './products.css'

/** Creates a product, or a new version of the version that `?from=` names. */
export function NewVersionPage() {
  const { from } = useSearch({ from: '/products/new' })
  const [productId, version] = from?.split(' ') ?? []
  if (!productId) {
    return (
      <Page title="New product" lead="Its first version. What is on sale is never changed.">
        <VersionForm id="product:new" values={emptyVersion} />
      </Page>
    )
  }
  return (
    <Query query={ProductVersionDocument} variables={{ productId, version: version ?? null }}>
      {({ product }) =>
        product ? (
          <Page
            title={`New version of ${product.name}`}
            lead={`It begins with the terms of version ${product.version}, which stay as they are.`}
          >
            <VersionForm
              id={`product:${productId}:${product.version}`}
              values={valuesFrom(product)}
              isNewVersion
            />
          </Page>
        ) : (
          <NotFound />
        )
      }
    </Query>
  )
}

interface VersionFormProps {
  id: string
  values: VersionValues
  isNewVersion?: boolean
}

function VersionForm({ id, values, isNewVersion = false }: VersionFormProps) {
  const navigate = useNavigate()
  const leave = () =>
    void (isNewVersion
      ? navigate({ to: '/products/$productId', params: { productId: values.productId } })
      : navigate({ to: '/products' }))
  return (
    <Section title="Terms">
      <CommandForm
        id={id}
        mutation={CreateProductDocument}
        initialValues={values}
        validate={errorsOf}
        variables={(entered) => ({ input: inputOf(entered) })}
        fieldOf={fieldOf}
        fieldOfCode={{ PRODUCT_VERSION_EXISTS: 'version' }}
        submitLabel={isNewVersion ? 'Create the version' : 'Create the product'}
        onCancel={leave}
        onDone={({ createProduct: { productId, version } }) =>
          void navigate({ to: '/products/$productId', params: { productId }, search: { version } })
        }
      >
        {(form) => <VersionFields form={form} isNewVersion={isNewVersion} />}
      </CommandForm>
    </Section>
  )
}
