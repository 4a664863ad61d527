import { createHash } from 'node:crypto'

/**
 * The script of the pages with a passkey. A form with `data-passkey` contains the options for the
 * browser. When it is submitted, the person uses the passkey, and the form is sent with the
 * response of the authenticator. Only browsers with the JSON methods of WebAuthn level 3 are
 * supported.
 */
const source = `
for (const form of document.querySelectorAll('form[data-passkey]')) {
  const alert = form.querySelector('[role=alert]')
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    alert.hidden = true
    try {
      const options = JSON.parse(form.dataset.options)
      const credential = form.dataset.passkey === 'create'
        ? await navigator.credentials.create({
            publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
        : await navigator.credentials.get({
            publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) })
      form.elements.namedItem('credential').value = JSON.stringify(credential)
      form.submit()
    } catch (error) {
      alert.textContent = error.name === 'InvalidStateError'
        ? 'This device already has a passkey for you.'
        : 'The passkey was not used. Try again, or use a newer browser.'
      alert.hidden = false
    }
  })
}
`

/** The element that contains the script. */
export const passkeyScript = `<script>${source}</script>`
/** The source expression that allows the script in a content security policy. */
export const passkeyScriptSource = `'sha256-${createHash('sha256').update(source).digest('base64')}'`
