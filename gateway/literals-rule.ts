import {
  GraphQLError,
  isInputType,
  specifiedRules,
  typeFromAST,
  ValuesOfCorrectTypeRule,
  type ASTVisitor,
  type ValidationContext,
} from 'graphql'
import { childPointer } from '../kernel/domain/problem-members.ts'
import { literalFaults, type InputError } from './input-faults.ts'

/**
 * Returns the validation error of a literal that a GraphQLError carries; undefined if it carries
 * none.
 */
export function faultOf({ extensions }: GraphQLError): InputError | undefined {
  return extensions['fault'] as InputError | undefined
}

/**
 * Replaces the rule of GraphQL for literals, so that each error has a JSON pointer and the message
 * of the scalar.
 */
function LiteralsRule(context: ValidationContext): ASTVisitor {
  const report = (faults: readonly InputError[], node: GraphQLError['nodes']) => {
    for (const fault of faults) {
      const message = describeFault(fault)
      context.reportError(new GraphQLError(message, { nodes: node, extensions: { fault } }))
    }
  }
  return {
    Argument(node) {
      const type = context.getArgument()?.type
      const pointer = childPointer('', node.name.value)
      if (type) report(literalFaults(type, node.value, pointer), [node])
    },
    VariableDefinition(node) {
      const type = typeFromAST(context.getSchema(), node.type as never)
      if (!node.defaultValue || !isInputType(type)) return
      const pointer = childPointer('', node.variable.name.value)
      report(literalFaults(type, node.defaultValue, pointer), [node])
    },
  }
}

/** Describes a validation error in one sentence. */
export function describeFault({ pointer, detail }: InputError): string {
  return `The value at ${pointer} is not valid: ${detail}`
}

/** The rules for validating the documents of clients. */
export const documentRules = specifiedRules.map((rule) =>
  rule === ValuesOfCorrectTypeRule ? LiteralsRule : rule,
)
