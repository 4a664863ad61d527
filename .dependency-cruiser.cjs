/** Six rules, each one sentence. */
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
      comment: 'A folder named domain imports only folders named domain, and decimal.js.',
      severity: 'error',
      from: { path: '^subgraphs/[^/]+/domain/' },
      to: { pathNot: ['^subgraphs/[^/]+/domain/', 'node_modules/decimal\\.js'] },
    },
    {
      name: 'subgraphs-are-islands',
      comment: 'Subgraphs meet in the graph and through events, never by import.',
      severity: 'error',
      from: { path: '^subgraphs/([^/_][^/]*)/' },
      to: { path: '^subgraphs/[^/_][^/]*/', pathNot: '^subgraphs/$1/' },
    },
    {
      name: 'foundations-know-no-subgraph',
      comment: 'The foundations know no subgraph, no gateway, no facade.',
      severity: 'error',
      from: { path: '^subgraphs/_' },
      to: { path: '^(subgraphs/[^_]|gateway|rest-facade|oauth|host)' },
    },
    {
      name: 'sql-in-stores',
      comment: 'Only stores and the foundations know Prisma and SQL.',
      severity: 'error',
      from: { pathNot: ['^subgraphs/_', '^subgraphs/[^/]+/store', '^(prisma|oauth|host)/'] },
      to: { path: ['^prisma/client', 'node_modules/(pg|@prisma)/'] },
    },
    {
      name: 'facade-speaks-graphql',
      comment: 'The facade knows the gateway and the foundations, never a subgraph.',
      severity: 'error',
      from: { path: '^(rest-facade|gateway/(?!compose))' },
      to: { path: '^(subgraphs/[^_]|host|oauth)' },
    },
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^prisma/client'] },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
}
