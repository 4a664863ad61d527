import { enumeration, type TypeOf } from '../../../../kernel/domain/model.ts'

export const AprConvention = enumeration(
  'AprConvention',
  'The method by which an annual percentage rate is computed.',
  {
    eu:
      'The annual percentage rate of charge of Directive 2008/48/EC, annex I: an effective ' +
      'rate.',
    'us-actuarial': 'The annual percentage rate of Regulation Z, appendix J: a nominal rate.',
  },
)
export type AprConvention = TypeOf<typeof AprConvention>
