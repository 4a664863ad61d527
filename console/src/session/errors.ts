/** Thrown if no answer to a request arrived. The bank may have executed it all the same. */
export class NoAnswer extends Error {
  constructor(
    message = 'The bank cannot be reached. Check the connection and try again.',
    options?: ErrorOptions,
  ) {
    super(message, options)
  }
}

/** Thrown if the bank rejected the session and the person has no other. */
export class SessionOver extends Error {
  constructor() {
    super('The session is over, and nothing was changed.')
  }
}
