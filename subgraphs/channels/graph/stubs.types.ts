import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType()
@Directive('@key(fields: "partyId")')
export class Party {
  @Field(() => ID)
  partyId: string
}

@ObjectType()
@Directive('@key(fields: "caseId")')
export class Case {
  @Field(() => ID)
  caseId: string
}
