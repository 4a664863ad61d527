import { Directive, Field, ID, ObjectType } from 'type-graphql'

@ObjectType('AccountArrangement')
@Directive('@key(fields: "arrangementId", resolvable: false)')
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
