import 'reflect-metadata'
import type { Subgraph } from '../_kernel/subgraph.ts'
import { CalculatorsResolver } from './graph/calculators.resolver.ts'

/** Lending: the arithmetic of loans, and two calculators that show it. */
export const lending: Subgraph = {
  name: 'lending',
  resolvers: [CalculatorsResolver],
  types: [],
  references: {},
  workers: [],
}
