import { Directive, Field, ID, ObjectType } from 'type-graphql'
import { LabelScalar } from '../../../kernel/graph/scalars.ts'

@ObjectType({ description: 'A party in its role as a customer of the bank.' })
@Directive('@key(fields: "customerId")')
export class Customer {
  @Field(() => ID)
  customerId: string
}

@ObjectType({ description: 'A person or an organization that the bank knows.' })
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string
}

@ObjectType('Product')
@Directive('@key(fields: "productId version", resolvable: false)')
export class ProductStub {
  @Field(() => ID)
  productId: string

  @Field(() => LabelScalar)
  version: string
}
