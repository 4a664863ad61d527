import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { LabelScalar } from '../../../../kernel/graph/scalars.ts'

@ObjectType()
@Directive('@key(fields: "customerId")')
export class Customer {
  @Field(() => ID)
  customerId: string
}

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId", resolvable: false)')
export class AccountArrangementStub {
  @Field(() => ID)
  arrangementId: string
}

@ObjectType('Product')
@Directive('@key(fields: "productId version", resolvable: false)')
export class ProductStub {
  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  version: string
}

@ObjectType('Case')
@Directive('@key(fields: "caseId", resolvable: false)')
export class CaseStub {
  @Field(() => ID)
  caseId: string
}

@ObjectType('LoanApplication')
@Directive('@key(fields: "applicationId", resolvable: false)')
export class LoanApplicationStub {
  @Field(() => ID)
  applicationId: string
}
