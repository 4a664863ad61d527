import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType('Customer')
@Directive('@key(fields: "customerId")')
export class CustomerStub {
  @Field(() => ID)
  customerId: string
}
