import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId")')
export class AccountArrangementStub {
  @Field(() => ID)
  arrangementId: string
}

@ObjectType('PostingInstruction')
@Directive('@key(fields: "postingInstructionId", resolvable: false)')
export class PostingInstructionStub {
  @Field(() => ID)
  postingInstructionId: string
}
