import js from '@eslint/js'
import ts from 'typescript-eslint'
import naming from './scripts/eslint/naming.js'

const never = (group, message) => ({ group, message })
/** Each component is a module that the host shares; the index of a package would bring all of them. */
const barrels = {
  regex: '^(antd|ahooks|@ant-design/icons)$',
  allowTypeImports: true,
  message:
    "Values come from the module itself, as in import Table from 'antd/es/table', 'ahooks/es/useRequest' or '@ant-design/icons/PlusOutlined'; types as in import type { TableProps } from 'antd'.",
}
const imports = (...patterns) => ({
  'no-restricted-imports': ['error', { patterns: [barrels, ...patterns] }],
})

const react = never(
  ['react', 'react-*', 'antd', 'antd/*', 'ahooks'],
  'React stays at the edge: ui, host and remotes.',
)
const server = never(['server', 'server/*'], 'The server is reached over HTTP only.')
const remotes = never(
  ['remote-*', 'remote-*/*', 'host', 'host/*'],
  'Host and remotes meet at run time only.',
)
const page = never(
  ['client', 'session', 'ui', 'plan', 'control'].map((part) => `@iot/shared/${part}/*`),
  'The server shares the contract only.',
)
const sharedUpper = never(
  ['@iot/shared/*', '**/client/*', '**/session/*', '**/ui/*', '**/plan/*'],
  'The contract imports zod only.',
)
/** The contract has a folder `control` as well, so the upper one is told by its path. */
const upperControl = (path) => never([`${path}/*`], 'The contract imports zod only.')
const areas = never(
  ['**/screens/*'],
  'What screens call and who gets them: for seed and release record.',
)
/** Of the screens a bundle may take only these: with the others came paths, titles and codes that it never shows. */
const screensBut = (...files) => ({
  regex: `(^|/)screens/(?!(${files.join('|')})$)`,
  message: 'Other screens are known by their address: paths.',
})
const antdApp = {
  regex: '^antd/es/app$',
  message: 'Messages and dialogs: useFeedback of @iot/shared/ui/feedback.',
}
/** These change what was typed, or search for it before it is typed; the files that wrap them say how. */
const antdInputs = {
  regex: '^antd/es/(cascader|date-picker|input-number|select|time-picker|tree-select)$',
  message: 'Use cascader, datePicker, numberInput, select and treeSelect of @iot/shared/ui.',
}
const planAndControl = never(
  ['**/plan/*', '**/control/*', '!**/contract/control/*'],
  'Plan and control stand on the rest.',
)

/** Who may import whom; undeclared packages do not resolve under pnpm at all. */
export default ts.config(
  {
    ignores: [
      '**/dist/**',
      '**/.cache/**',
      '**/.data/**',
      'test-results/**',
      '**/node_modules/**',
      'region-data/data/**',
    ],
  },
  js.configs.recommended,
  ...ts.configs.recommended,
  { files: ['**/*.{ts,tsx,js,mjs,cjs}'], rules: { 'no-undef': 'off' } },
  {
    files: ['**/*.{ts,tsx}'],
    ignores: ['scripts/webpack/**', 'host/src/federation/**'],
    plugins: { naming },
    rules: { 'naming/vague-names': 'error' },
  },
  // The server writes to its log; the console of a browser is not read by anybody.
  {
    files: ['{server,shared,host,region-data,remote-*}/**/*.{ts,tsx}'],
    ignores: ['**/*.test.{ts,tsx}'],
    rules: { 'no-console': 'error' },
  },
  {
    files: ['**/*.{ts,tsx}'],
    rules: {
      // With the word `type` inside the braces the module would still be loaded.
      '@typescript-eslint/no-import-type-side-effects': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      // A row that is an interface keeps its name where the compiler writes down types, as for docs/shell-api.md.
      '@typescript-eslint/no-empty-object-type': [
        'error',
        { allowInterfaces: 'with-single-extends' },
      ],
    },
  },
  { files: ['**/*.cjs'], rules: { '@typescript-eslint/no-require-imports': 'off' } },
  // Playwright reads the names of the fixtures a function wants from its first parameter, also when there are none.
  { files: ['e2e/**'], rules: { 'no-empty-pattern': 'off' } },
  {
    files: ['shared/src/contract/*'],
    rules: imports(react, server, remotes, sharedUpper, upperControl('../control'), areas),
  },
  {
    files: ['shared/src/contract/*/**'],
    rules: imports(react, server, remotes, sharedUpper, upperControl('../../control'), areas),
  },
  {
    files: ['shared/src/client/**'],
    rules: imports(react, server, remotes, planAndControl, areas),
  },
  {
    files: ['shared/src/session/**'],
    rules: imports(
      server,
      remotes,
      planAndControl,
      areas,
      never(['react', 'antd', 'antd/*'], 'Session is jotai and contract types.'),
    ),
  },
  {
    files: ['shared/src/screens/**'],
    rules: imports(
      server,
      remotes,
      planAndControl,
      never(
        ['react', 'react-dom', 'antd', 'ahooks', '**/client/*', '**/session/*', '**/ui/*'],
        'Screens are data: contract and types only.',
      ),
    ),
  },
  {
    files: ['shared/src/ui/**'],
    rules: imports(server, remotes, planAndControl, screensBut('paths'), antdApp, antdInputs),
  },
  {
    files: ['shared/src/ui/{cascader,datePicker,numberInput,select,treeSelect}.tsx'],
    rules: imports(server, remotes, planAndControl, screensBut('paths'), antdApp),
  },
  {
    files: ['shared/src/{plan,control}/**'],
    rules: imports(server, remotes, screensBut('paths'), antdApp, antdInputs),
  },
  ...[
    ['host', 'home|release'],
    ['remote-device-access', 'deviceAccess'],
    ['remote-system', 'system'],
    ['remote-enterprise', 'enterprise'],
  ].map(([folder, own]) => ({
    files: [`${folder}/src/**`],
    rules: imports(server, remotes, screensBut(own, 'paths', 'route'), antdApp, antdInputs),
  })),
  {
    files: ['region-data/src/**'],
    ignores: ['**/*.test.ts'],
    rules: imports({ regex: '^[^.]', message: 'region-data depends on nothing.' }),
  },
  { files: ['server/src/**'], rules: imports(react, remotes, page) },
  {
    files: ['server/src/core/**', 'server/src/device-access/**', 'server/src/site/**'],
    rules: imports(
      react,
      remotes,
      page,
      areas,
      never(['**/modules/**'], 'The floors below know no module.'),
    ),
  },
  {
    // What was exported is read back by the reader of the import dialog, which runs in the browser.
    files: ['server/src/core/tasks/roundTrip.test.ts'],
    rules: imports(react, remotes, areas),
  },
  {
    files: ['server/src/tables/**'],
    rules: imports(
      react,
      remotes,
      page,
      areas,
      never(['**/modules/**', '**/core/**'], 'Tables are the common ground: contract only.'),
    ),
  },
  {
    files: ['server/src/modules/**'],
    ignores: ['**/*.test.ts'],
    rules: imports(react, remotes, page, areas, {
      regex: '^\\.\\./(?!\\.\\./|policy/)[^/]+/(?!policy(/|$))',
      message: 'Of another module at most its policy.',
    }),
  },
)
