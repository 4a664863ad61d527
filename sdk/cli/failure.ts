/** A failure that its message explains completely. The command ends with the code 1. */
export class Failure extends Error {}
