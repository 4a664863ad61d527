import {
  GraphQLError,
  isInputType,
  specifiedRules,
  typeFromAST,
  ValuesOfCorrectTypeRule,
  type ASTVisitor,
  type ValidationContext,
} from 'graphql'
import { childPointer } from '../subgraphs/_kernel/domain/problem-members.ts'
import { literalFaults, type InputFault } from './input-faults.ts'

/** The fault that a validation error of a literal carries. */
export function faultOf({ extensions }: GraphQLError): InputFault | undefined {
  return extensions['fault'] as InputFault | undefined
}

/** GraphQL's own rule for literals, except that each error says where and why, in the scalar's own words. */
function LiteralsRule(context: ValidationContext): ASTVisitor {
  const report = (faults: readonly InputFault[], node: GraphQLError['nodes']) => {
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

/** One sentence on a fault, for the message of its error. */
export function describeFault({ pointer, detail }: InputFault): string {
  return `The value at ${pointer} is not valid: ${detail}`
}

/** The rules a client's document is validated by. */
export const documentRules = specifiedRules.map((rule) =>
  rule === ValuesOfCorrectTypeRule ? LiteralsRule : rule,
)
