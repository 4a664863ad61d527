import { Kind, visit, type DocumentNode } from 'graphql'
import { everyScope, type Scope } from '../kernel/domain/scopes.ts'

/**
 * Returns the scope that a root field declares in the supergraph. Throws an Error if it declares
 * none.
 */
export function scopeOf(supergraph: DocumentNode, typeName: string, fieldName: string): Scope {
  let scopeName: string | undefined
  visit(supergraph, {
    ObjectTypeDefinition: (type) => (type.name.value === typeName ? undefined : false),
    FieldDefinition(field) {
      if (field.name.value !== fieldName) return false
      const directive = field.directives?.find(({ name }) => name.value === 'scope')
      visit(directive ?? field.name, { [Kind.STRING]: ({ value }) => void (scopeName = value) })
      return false
    },
  })
  const scope = everyScope.find((known) => known === scopeName)
  if (!scope) throw new Error(`${typeName}.${fieldName} declares no scope.`)
  return scope
}
