import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'

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
/** The libraries whose files are ES modules, which Jest has to transform; to transform the others too costs seconds. */
const store = join(import.meta.dirname, 'node_modules/.pnpm')
const moduleLibraries = readdirSync(store)
  .map((folder) => ({ folder, name: folder.slice(0, folder.indexOf('@', 1)) }))
  .filter(({ folder, name }) => {
    const file = join(store, folder, 'node_modules', name.replace('+', '/'), 'package.json')
    return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).type === 'module'
  })
  .map(({ name }) => name.replace(/[+.]/g, '\\$&'))
const common = {
  transform: { '\\.(t|j|mj)sx?$': swc },
  transformIgnorePatterns: [
    '\\.cjs$',
    `/node_modules/\\.pnpm/(?!(${moduleLibraries.join('|')})@).*(?<!\\.mjs)$`,
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
