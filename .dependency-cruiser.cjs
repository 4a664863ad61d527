/** The rules of imports, each one sentence. */
module.exports = {
  forbidden: [
    {
      name: 'no-cycles',
      comment: 'No cycles.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'domain-is-pure',
      comment: 'Folders named domain and model import only each other, and decimal.js.',
      severity: 'error',
      from: { path: '^(subgraphs|kernel|ledger)/.*\\b(domain|model)/' },
      to: {
        pathNot: [
          '^(subgraphs|kernel|ledger)/.*\\b(domain|model)/',
          // Descriptions in the model of payments name the rails.
          '^subgraphs/payments/rails/registry',
          'node_modules/decimal\\.js',
        ],
      },
    },
    {
      name: 'subgraphs-are-islands',
      comment: 'Subgraphs meet in the graph and through events, never by import.',
      severity: 'error',
      from: { path: '^subgraphs/([^/]+)/' },
      to: { path: '^subgraphs/[^/]+/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'foundations-know-no-subgraph',
      comment: 'The foundations know no subgraph, no gateway, no facade.',
      severity: 'error',
      from: { path: '^(kernel|ledger)/' },
      to: { path: '^(subgraphs|gateway|rest-facade|sandbox|oauth|host)' },
    },
    {
      name: 'sql-in-stores',
      comment: 'Only stores and the foundations know Prisma and SQL.',
      severity: 'error',
      from: { pathNot: ['^subgraphs/[^/]+/store', '^(kernel|ledger|prisma|oauth|host)/'] },
      to: { path: ['^prisma/client', 'node_modules/(pg|@prisma)/'] },
    },
    {
      name: 'facade-speaks-graphql',
      comment: 'What speaks to the graph knows the foundations, never a subgraph.',
      severity: 'error',
      from: { path: '^(rest-facade|sandbox|gateway/(?!compose))' },
      to: { path: '^(subgraphs|host|oauth)' },
    },
    {
      name: 'console-speaks-graphql',
      comment: 'The console is a client: it knows the graph, and none of the server’s code.',
      severity: 'error',
      from: { path: '^console/' },
      to: { path: '^(subgraphs|kernel|ledger|gateway|rest-facade|sandbox|oauth|host|prisma)/' },
    },
    {
      name: 'sdk-stands-alone',
      comment: 'The client package knows the contract, and none of the server’s code.',
      severity: 'error',
      from: { path: '^sdk/' },
      to: {
        path: '^(subgraphs|kernel|ledger|gateway|rest-facade|sandbox|oauth|host|prisma|console)/',
      },
    },
    {
      name: 'examples-stand-alone',
      comment:
        'An example can be copied: it knows the client package, and nothing else of this repository.',
      severity: 'error',
      from: { path: '^examples/([^/]+)/' },
      to: {
        path: '^(subgraphs|kernel|ledger|gateway|rest-facade|sandbox|oauth|host|prisma|console|examples)/',
        pathNot: '^examples/$1/',
      },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/client'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
