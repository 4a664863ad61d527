/** A web shop: its pages, in plain Node. */
import { createServer } from 'node:http'
import { createOrder, findOrder } from './orders.js'
import { finishPayment, startPayment } from './payment.js'

const port = process.env.PORT ?? '3000'
const origin = `http://127.0.0.1:${port}`

const products = [
  { item: 'The Art of Bookkeeping', price: { amount: '24.00', currency: 'EUR' } },
  { item: 'A Golden Abacus', price: { amount: '99000.00', currency: 'EUR' } },
]

createServer((request, response) => void respond(request, response)).listen(
  Number(port),
  '127.0.0.1',
  () => console.log(`The shop is open at ${origin}`),
)

/**
 * @param {import('node:http').IncomingMessage} request
 * @param {import('node:http').ServerResponse} response
 */
async function respond(request, response) {
  try {
    const { status = 200, location, html = '', cookie } = await answer(request)
    response.writeHead(status, {
      'content-type': 'text/html; charset=utf-8',
      ...(location && { location }),
      ...(cookie && { 'set-cookie': `order=${cookie}; HttpOnly; SameSite=Lax; Path=/` }),
    })
    response.end(html && page(html))
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error)
    response.writeHead(400, { 'content-type': 'text/html; charset=utf-8' })
    response.end(page(`<p role="alert">${escape(text)}</p><a href="/order">Your order</a>`))
  }
}

async function answer(request) {
  const url = new URL(request.url ?? '/', origin)
  const orderId = /(?:^|; )order=([0-9a-f-]+)/.exec(request.headers.cookie ?? '')?.[1]
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /':
      return { html: products.map(productForm).join('') }
    case 'POST /order': {
      const product = products[Number(url.searchParams.get('product'))]
      if (!product) return notFound
      return { status: 303, location: '/order', cookie: createOrder(product).id }
    }
    case 'GET /order': {
      const order = findOrder(orderId)
      return order ? { html: orderPage(order) } : notFound
    }
    case 'POST /pay':
      return orderId ? { status: 303, location: await startPayment(orderId) } : notFound
    case 'GET /callback':
      await finishPayment(url.href, orderId)
      return { status: 303, location: '/order' }
    default:
      return notFound
  }
}

const notFound = { status: 404, html: '<p>There is nothing here.</p><a href="/">The shop</a>' }

/**
 * @param {typeof products[number]} product
 * @param {number} index
 */
function productForm({ item, price }, index) {
  return `<form method="post" action="/order?product=${index}">
    <p>${escape(item)}, ${price.amount} ${price.currency}</p><button>Order</button></form>`
}

function orderPage({ item, price, status, paymentId = '', refusal = '' }) {
  const texts = {
    open: 'Your order is not paid yet.',
    paying: 'We do not know yet whether your payment arrived. Pay again: it is charged once.',
    paid: `Thank you. Your order is paid (${paymentId}).`,
  }
  const button = '<form method="post" action="/pay"><button>Pay with your bank</button></form>'
  return `<h2>${escape(item)}, ${price.amount} ${price.currency}</h2>
    ${refusal ? `<p role="alert">${escape(refusal)}</p>` : ''}
    <p role="status">${texts[status]}</p>${status === 'paid' ? '' : button}`
}

const escape = (text) => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)

const page = (html) => `<!doctype html><html lang="en"><meta charset="utf-8">
  <title>The Ledger Shop</title><h1>The Ledger Shop</h1>${html}</html>`
