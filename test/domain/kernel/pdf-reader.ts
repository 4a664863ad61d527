import { getDocument, type PDFDocumentProxy } from 'pdfjs-dist/legacy/build/pdf.mjs'

/** What a PDF file shows and says to a screen reader, one line for each text and each tag. */
export interface ReadPdf {
  /** The texts with the position of each, from the top left corner of the page. */
  texts: string[]
  /** The tags in reading order, with the text of each. */
  tags: string[]
  metadata: string
  title: string
  pages: number
}

interface Node {
  role?: string
  type?: string
  id?: string
  children?: Node[]
}

/** Reads a PDF file with another library than the one that writes it. */
export async function readPdf(content: Uint8Array): Promise<ReadPdf> {
  const loading = getDocument({ data: new Uint8Array(content), verbosity: 0 })
  const document = await loading.promise
  const { info, metadata } = await document.getMetadata()
  const read: ReadPdf = {
    texts: [],
    tags: [],
    metadata: metadata?.getRaw() ?? '',
    title: (info as { Title?: string }).Title ?? '',
    pages: document.numPages,
  }
  for (let number = 1; number <= document.numPages; number++) await readPage(document, number, read)
  await loading.destroy()
  return read
}

async function readPage(document: PDFDocumentProxy, number: number, read: ReadPdf): Promise<void> {
  const page = await document.getPage(number)
  const { items } = await page.getTextContent({ includeMarkedContent: true })
  const height = page.getViewport({ scale: 1 }).height
  const marked = new Map<string, string>()
  let current = ''
  for (const item of items) {
    if (!('str' in item)) {
      current = item.type === 'endMarkedContent' ? '' : (item.id ?? '')
      continue
    }
    if (item.str.trim() === '') continue
    const [x, y] = [item.transform[4] as number, height - (item.transform[5] as number)]
    read.texts.push(`page ${number} x ${Math.round(x)} y ${Math.round(y)}: ${item.str}`)
    marked.set(current, `${marked.get(current) ?? ''}${item.str}`)
  }
  const visit = (node: Node, depth: number): void => {
    if (node.type === 'content') return
    const children = node.children ?? []
    const text = children.map(({ id }) => (id ? (marked.get(id) ?? '') : '')).join('')
    read.tags.push(`${'  '.repeat(depth)}${node.role}${text === '' ? '' : `: ${text}`}`)
    for (const child of children) visit(child, depth + 1)
  }
  const tree = (await page.getStructTree()) as Node | null
  if (tree) visit(tree, 0)
}
