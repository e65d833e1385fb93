import { availableParallelism } from 'node:os'

const swc = [
  '@swc/jest',
  {
    jsc: {
      target: 'es2022',
      parser: { syntax: 'typescript', tsx: true },
      transform: { react: { runtime: 'automatic' } },
    },
  },
]
const common = {
  transform: { '\\.(t|j|mj)sx?$': swc },
  // Some libraries ship only ES modules; pnpm's folders nest, so everything is transformed unless it is CommonJS by name.
  transformIgnorePatterns: [
    '\\.cjs$',
    '/node_modules/\\.pnpm/(react|react-dom|antd|typescript|@swc)[@+]',
  ],
  modulePathIgnorePatterns: ['/dist/', '/.cache/', '/.data/'],
}

/** Two processes on PostgreSQL and Mosquitto of this machine: `pnpm test:services`. */
const services = {
  ...common,
  displayName: 'services',
  testEnvironment: 'node',
  testMatch: ['<rootDir>/server/services/*.services.ts'],
}

/** Server, contract, scripts and data run in node; session, error screens and what shared draws in jsdom. */
export default {
  // On two cores Jest would take one. Suites wait for databases and sockets half of their time.
  maxWorkers: Math.max(2, availableParallelism() - 1),
  // Five seconds are short on a busy machine; the first tests in a fresh clone also wait for the server to be transformed.
  testTimeout: 300_000,
  // The tests of services run beside the others and do not call every endpoint.
  reporters: process.env.SERVICES
    ? ['default']
    : ['default', '<rootDir>/scripts/jest/answered.js', '<rootDir>/scripts/jest/consoleOutput.js'],
  projects: process.env.SERVICES
    ? [services]
    : [
        {
          ...common,
          displayName: 'node',
          globalSetup: '<rootDir>/server/src/testing.setup.mjs',
          globalTeardown: '<rootDir>/server/src/testing.teardown.mjs',
          testEnvironment: '<rootDir>/server/src/testing.environment.mjs',
          setupFiles: ['<rootDir>/server/src/testing.log.ts'],
          testMatch: [
            '<rootDir>/{server,scripts,region-data}/**/*.test.ts',
            '<rootDir>/shared/src/{contract,screens}/**/*.test.ts',
          ],
        },
        {
          ...common,
          displayName: 'browser',
          testEnvironment: 'jsdom',
          moduleNameMapper: {
            '\\.css$': '<rootDir>/scripts/jest/styles.js',
            // Jest runs the CommonJS half of these packages, which needs no transformation.
            '^(antd|ahooks)/es/(.*)$': '$1/lib/$2',
          },
          setupFiles: ['<rootDir>/scripts/jest/jsdom.js'],
          setupFilesAfterEnv: ['<rootDir>/scripts/jest/patience.js'],
          testMatch: [
            '<rootDir>/{host,remote-*}/src/**/*.test.ts?(x)',
            '<rootDir>/shared/src/{client,session,ui,plan,control}/**/*.test.ts?(x)',
          ],
        },
      ],
}
