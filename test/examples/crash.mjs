/**
 * Loaded before an example (`NODE_OPTIONS=--import`): kills it when the bank has answered the request
 * whose body contains the text of `CRASH_AT`, before the example reads the answer. `CRASH_AT=text:2`
 * is the second such request.
 */
const [text, number = '1'] = (process.env.CRASH_AT ?? '').split(':')
const send = globalThis.fetch
let count = 0

globalThis.fetch = async (input, init) => {
  const response = await send(input, init)
  if (typeof init?.body === 'string' && init.body.includes(text)) count++
  if (count === Number(number)) process.kill(process.pid, 'SIGKILL')
  return response
}
