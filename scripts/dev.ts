import { parseArgs } from 'node:util'
import { findPackage, packages } from './build/packages.ts'
import { startDevPage } from './dev/page.ts'
import { removeTrailingSlash } from '../shared/src/contract/webAddress.ts'
import { devBuildId, serveRemote } from './dev/serve.ts'
import { createRemoteDevConfig } from './dev/refresh.ts'

/** Runs `pnpm dev system`; `--console` is the address of a running console. */
const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    console: { type: 'string', default: 'http://localhost:8080' },
    port: { type: 'string' },
  },
})
const pkg = findPackage(positionals[0] ?? '')
if (!pkg || pkg.name === 'host') {
  console.error(
    `pnpm dev <remote>；可用：${packages
      .filter(({ name }) => name !== 'host')
      .map(({ name }) => name)
      .join('、')}`,
  )
  process.exit(1)
}

const port = Number(values.port ?? 3100 + packages.indexOf(pkg))
const pagePort = port + 100
await startDevPage({ port: pagePort, console: removeTrailingSlash(values.console) })
serveRemote({
  ...pkg,
  config: createRemoteDevConfig({ ...pkg, name: pkg.name, build: devBuildId }),
  port,
  console: `http://localhost:${pagePort}`,
})
